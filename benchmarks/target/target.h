/* A target for benchmarks: answers OpenAI-style requests as fast, or as exactly paced, as one core can. */
#ifndef TARGET_H
#define TARGET_H
#include <stddef.h>
#include <stdint.h>

/* Options of the command line. Times in ns. */
struct options {
  int port, tokens, instant;
  int64_t ttft, itl, spin;
  const char *log;
  long log_max;
};
extern struct options options;

/* What is known of one request, for the log. */
struct truth {
  char id[64];
  int64_t arrival; /* monotonic ns */
  int32_t count;
  int32_t *sent; /* us after arrival, one per event */
};
struct truth *truth_begin(const char *id, size_t length, int64_t arrival);
void truth_write(void);
void truth_reset(void);

int64_t now_ns(void);

/* The answer to a streamed request: its head and first event, each further event, and the end. */
struct answers {
  char *first, *event, *last, *whole, *models;
  size_t first_size, event_size, last_size, whole_size, models_size;
};
extern struct answers answers;
void make_answers(int tokens);

/* A request that is complete in a buffer. */
struct request {
  size_t size; /* bytes of head and body */
  int post, streamed;
  const char *path, *id;
  size_t path_size, id_size;
};
/* 1: complete, 0: more is needed, -1: not HTTP. */
int parse_request(const char *bytes, size_t size, struct request *out);
#endif
