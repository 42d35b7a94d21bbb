/*
 * target --port N --tokens N [--ttft-ms F --itl-ms F | --instant] [--spin-us N] [--log FILE] [--log-max N]
 *
 * One thread, epoll. Paced answers: event i is due at arrival + ttft + i * itl, however late the ones before it were. All
 * requests have the same times, so two queues in order of their due times take the place of a heap. `GET /__flush` writes
 * the log, `GET /__reset` forgets it, `GET /__stats` says what was served and what it cost.
 */
#define _GNU_SOURCE
#include "target.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

struct options options = {.port = 8100, .tokens = 100, .ttft = 50000000, .itl = 5000000, .spin = 30000, .log_max = 200000};

struct connection {
  int fd, waits; /* waits: for room in the socket's buffer */
  char *in;
  size_t in_size, in_room;
  /* Bytes that the socket would not take. */
  const char *rest;
  size_t rest_size;
  /* The answer under way: next event of how many, when it is due. */
  int next, total;
  int64_t arrival, due;
  struct truth *truth;
  unsigned life; /* of the descriptor's uses, so that a stale queue entry is known */
};

struct entry {
  struct connection *connection;
  unsigned life;
  int64_t due;
};
/* A ring of entries in order of due time. */
struct queue {
  struct entry *entries;
  size_t head, count, room;
};

static struct queue firsts, nexts;
static int poller;
static struct { long requests, events, accepted, open; int64_t first, last; } stats;
static volatile sig_atomic_t stopping;

static void push(struct queue *queue, struct connection *connection, int64_t due) {
  if (queue->count == queue->room) {
    size_t room = queue->room == 0 ? 1024 : queue->room * 2;
    struct entry *entries = malloc(room * sizeof *entries);
    for (size_t i = 0; i < queue->count; i++) entries[i] = queue->entries[(queue->head + i) % queue->room];
    free(queue->entries);
    *queue = (struct queue){entries, 0, queue->count, room};
  }
  queue->entries[(queue->head + queue->count++) % queue->room] = (struct entry){connection, connection->life, due};
}

static void watch(struct connection *connection, uint32_t events, int operation) {
  struct epoll_event event = {.events = events, .data.ptr = connection};
  epoll_ctl(poller, operation, connection->fd, &event);
}

static void drop(struct connection *connection) {
  close(connection->fd);
  connection->fd = -1;
  connection->life++;
  connection->in_size = 0;
  connection->total = connection->next = 0;
  connection->rest_size = 0;
  connection->waits = 0;
  stats.open--;
}

/* Hands bytes to the socket, which live until they are sent. 1: all taken. */
static int put(struct connection *connection, const char *bytes, size_t size) {
  ssize_t taken = send(connection->fd, bytes, size, MSG_NOSIGNAL);
  if (taken == (ssize_t)size) return 1;
  if (taken < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
    drop(connection);
    return 0;
  }
  connection->rest = bytes + (taken < 0 ? 0 : taken);
  connection->rest_size = size - (size_t)(taken < 0 ? 0 : taken);
  connection->waits = 1;
  watch(connection, EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
  return 0;
}

/* Sends the next event of a stream: `total` events and the end of the stream, which is no token. */
static int send_event(struct connection *connection) {
  int64_t now = now_ns();
  stats.last = now;
  int index = connection->next++;
  if (index < connection->total) {
    stats.events++;
    if (connection->truth != NULL) connection->truth->sent[connection->truth->count++] = (int32_t)((now - connection->arrival) / 1000);
    return index == 0 ? put(connection, answers.first, answers.first_size) : put(connection, answers.event, answers.event_size);
  }
  connection->total = 0;
  return put(connection, answers.last, answers.last_size);
}

static void serve(struct connection *connection);

/* Instant streams: all events back to back, as far as the socket takes them. */
static void pump(struct connection *connection) {
  while (connection->total > 0 && !connection->waits)
    if (!send_event(connection)) return;
  if (connection->total == 0 && !connection->waits) serve(connection);
}

static void control(struct connection *connection, const struct request *request) {
  char text[512];
  static char reply[1024];
  int is = 0;
  if (memmem(request->path, request->path_size, "__flush", 7)) truth_write();
  else if (memmem(request->path, request->path_size, "__reset", 7)) {
    truth_reset();
    memset(&stats, 0, sizeof stats);
    stats.open = 1;
  } else if (memmem(request->path, request->path_size, "__stats", 7)) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double cpu = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    is = snprintf(text, sizeof text, "{\"requests\":%ld,\"events\":%ld,\"accepted\":%ld,\"open\":%ld,\"seconds\":%.9f,\"cpuSeconds\":%.6f}", stats.requests, stats.events,
                  stats.accepted, stats.open, (double)(stats.last - stats.first) / 1e9, cpu);
  } else if (memmem(request->path, request->path_size, "/models", 7)) {
    put(connection, answers.models, answers.models_size);
    return;
  }
  int size = snprintf(reply, sizeof reply, "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%.*s", is > 0 || request->path[1] == '_' ? "200 OK" : "404 Not Found", is, is, text);
  put(connection, reply, (size_t)size);
}

/* Serves what has been read, one request at a time. */
static void serve(struct connection *connection) {
  struct request request;
  while (connection->fd >= 0 && connection->total == 0 && !connection->waits && connection->in_size > 0) {
    int complete = parse_request(connection->in, connection->in_size, &request);
    if (complete < 0) return drop(connection);
    if (complete == 0) return;
    int64_t now = now_ns();
    if (!request.post) control(connection, &request);
    else {
      if (stats.first == 0) stats.first = now;
      stats.last = now;
      stats.requests++;
      connection->arrival = now;
      connection->truth = truth_begin(request.id, request.id == NULL ? 0 : request.id_size, now);
    }
    int post = request.post, streamed = request.streamed;
    if (connection->fd < 0) return;
    memmove(connection->in, connection->in + request.size, connection->in_size - request.size);
    connection->in_size -= request.size;
    if (!post) continue;
    if (!streamed) put(connection, answers.whole, answers.whole_size);
    else {
      connection->next = 0;
      connection->total = options.tokens;
      if (options.instant) return pump(connection);
      connection->due = now + options.ttft;
      push(&firsts, connection, connection->due);
    }
  }
}

static void readable(struct connection *connection) {
  for (;;) {
    if (connection->in_room - connection->in_size < 16384) connection->in = realloc(connection->in, connection->in_room = connection->in_room * 2 + 32768);
    ssize_t got = recv(connection->fd, connection->in + connection->in_size, connection->in_room - connection->in_size, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) return drop(connection);
    if (got < 0) break;
    connection->in_size += (size_t)got;
    if (connection->in_size < connection->in_room) break;
  }
  serve(connection);
}

static void writable(struct connection *connection) {
  const char *rest = connection->rest;
  size_t size = connection->rest_size;
  connection->waits = 0;
  connection->rest_size = 0;
  watch(connection, EPOLLIN, EPOLL_CTL_MOD);
  if (put(connection, rest, size)) pump(connection);
}

/* Sends what is due, so many at most that requests are still read in time; returns when the next is due, or -1. */
static int64_t due_events(void) {
  for (int sent = 0;; sent++) {
    struct queue *queue = firsts.count == 0 ? &nexts : nexts.count == 0 ? &firsts : firsts.entries[firsts.head].due <= nexts.entries[nexts.head].due ? &firsts : &nexts;
    if (queue->count == 0) return -1;
    struct entry entry = queue->entries[queue->head];
    if (sent == 32 || entry.due > now_ns()) return entry.due;
    queue->head = (queue->head + 1) % queue->room;
    queue->count--;
    struct connection *connection = entry.connection;
    if (connection->life != entry.life || connection->total == 0) continue;
    /* A socket that does not drain is not paced any more: it gets the rest as fast as it takes it. */
    if (connection->waits || !send_event(connection)) continue;
    if (connection->total == 0) serve(connection);
    else if (connection->next >= connection->total) pump(connection);
    else push(&nexts, connection, connection->due = entry.due + options.itl);
  }
}

static void accept_all(int listener, struct connection **table, int most) {
  for (;;) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    if (fd < 0) return;
    if (fd >= most) {
      close(fd);
      continue;
    }
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct connection *connection = table[fd] != NULL ? table[fd] : (table[fd] = calloc(1, sizeof *connection));
    connection->fd = fd;
    stats.accepted++;
    stats.open++;
    watch(connection, EPOLLIN, EPOLL_CTL_ADD);
  }
}

static void stop(int signal) { stopping = signal; }

static int listen_on(int port) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 16384) != 0) {
    perror("target");
    exit(1);
  }
  getsockname(listener, (struct sockaddr *)&address, &size);
  printf("{\"url\":\"http://127.0.0.1:%d\"}\n", ntohs(address.sin_port));
  fflush(stdout);
  return listener;
}

int main(int count, char **values) {
  for (int i = 1; i < count; i++) {
    const char *name = values[i], *value = i + 1 < count ? values[i + 1] : "";
    if (strcmp(name, "--instant") == 0) options.instant = i--;
    else if (strcmp(name, "--port") == 0) options.port = atoi(value);
    else if (strcmp(name, "--tokens") == 0) options.tokens = atoi(value);
    else if (strcmp(name, "--ttft-ms") == 0) options.ttft = (int64_t)(atof(value) * 1e6);
    else if (strcmp(name, "--itl-ms") == 0) options.itl = (int64_t)(atof(value) * 1e6);
    else if (strcmp(name, "--spin-us") == 0) options.spin = (int64_t)(atof(value) * 1e3);
    else if (strcmp(name, "--log") == 0) options.log = value;
    else if (strcmp(name, "--log-max") == 0) options.log_max = atol(value);
    else {
      fprintf(stderr, "target: unknown option %s\n", name);
      return 2;
    }
    i++;
  }
  make_answers(options.tokens);
  signal(SIGTERM, stop);
  signal(SIGINT, stop);
  prctl(PR_SET_TIMERSLACK, 1);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  int most = files.rlim_cur > 100000 ? 100000 : (int)files.rlim_cur;
  struct connection **table = calloc((size_t)most, sizeof *table);
  poller = epoll_create1(0);
  int listener = listen_on(options.port);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, events[256];
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
  while (!stopping) {
    int64_t due = due_events();
    int64_t left = (due < 0 ? 1000000000 : due - now_ns()) - options.spin;
    struct timespec wait = {left > 0 ? left / 1000000000 : 0, left > 0 ? left % 1000000000 : 0};
    int ready = epoll_pwait2(poller, events, 256, &wait, NULL);
    for (int i = 0; i < ready; i++) {
      struct connection *connection = events[i].data.ptr;
      if (connection == NULL) accept_all(listener, table, most);
      else if (connection->fd >= 0) {
        if (events[i].events & EPOLLOUT) writable(connection);
        if (connection->fd >= 0 && events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) readable(connection);
      }
    }
  }
  truth_write();
  return 0;
}
