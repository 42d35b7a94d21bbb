/* Reads requests and makes answers. */
#define _GNU_SOURCE
#include "target.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The value of a header, or NULL. `head` begins with a line end. */
static const char *header(const char *head, size_t size, const char *name, size_t *length) {
  size_t n = strlen(name);
  const char *end = head + size;
  for (const char *at = head; (at = memmem(at, (size_t)(end - at), "\r\n", 2)) != NULL; at += 2) {
    const char *line = at + 2;
    if ((size_t)(end - line) <= n || line[n] != ':' || strncasecmp(line, name, n) != 0) continue;
    const char *value = line + n + 1;
    while (*value == ' ') value++;
    const char *stop = memchr(value, '\r', (size_t)(end - value));
    *length = stop == NULL ? 0 : (size_t)(stop - value);
    return value;
  }
  return NULL;
}

int parse_request(const char *bytes, size_t size, struct request *out) {
  const char *end = memmem(bytes, size, "\r\n\r\n", 4);
  if (end == NULL) return size > 64 * 1024 ? -1 : 0;
  size_t head = (size_t)(end - bytes) + 4;
  const char *line = memchr(bytes, '\r', head);
  const char *path = memchr(bytes, ' ', (size_t)(line - bytes));
  if (path == NULL) return -1;
  const char *stop = memchr(path + 1, ' ', (size_t)(line - path - 1));
  if (stop == NULL) return -1;
  size_t length = 0;
  const char *value = header(line, head - (size_t)(line - bytes), "content-length", &length);
  size_t body = value == NULL ? 0 : strtoul(value, NULL, 10);
  if (size < head + body) return 0;
  out->size = head + body;
  out->post = bytes[0] == 'P';
  out->path = path + 1;
  out->path_size = (size_t)(stop - path - 1);
  out->id = header(line, head - (size_t)(line - bytes), "x-request-id", &out->id_size);
  /* Members of the request come before or after the prompt: all of the body is searched. */
  const char *stream = body == 0 ? NULL : memmem(bytes + head, body, "\"stream\":", 9);
  out->streamed = stream != NULL && (stream[9] == 't' || (stream[9] == ' ' && stream[10] == 't'));
  return 1;
}

static char *text(size_t *size, const char *format, ...) {
  char *out = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&out, format, arguments);
  va_end(arguments);
  if (length < 0) abort();
  *size = (size_t)length;
  return out;
}

#define CHUNK "data: {\"id\":\"chatcmpl-0\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n"

struct answers answers;

void make_answers(int tokens) {
  size_t size, done;
  char *event = text(&size, CHUNK, "{\"content\":\" token\"}", "null");
  answers.event = text(&answers.event_size, "%zx\r\n%s\r\n", size, event);
  answers.first = text(&answers.first_size, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n%s", answers.event);
  char *last = text(&done, CHUNK "data: [DONE]\n\n", "{}", "\"stop\"");
  answers.last = text(&answers.last_size, "%zx\r\n%s\r\n0\r\n\r\n", done, last);
  char *content = calloc((size_t)tokens + 1, 6);
  for (int i = 0; i < tokens; i++) memcpy(content + i * 6, " token", 6);
  char *body = text(&size,
    "{\"id\":\"chatcmpl-0\",\"object\":\"chat.completion\",\"created\":1700000000,\"model\":\"m\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"%s\"},"
    "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":8,\"completion_tokens\":%d,\"total_tokens\":%d}}", content, tokens, tokens + 8);
  answers.whole = text(&answers.whole_size, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s", size, body);
  const char *models = "{\"object\":\"list\",\"data\":[{\"id\":\"m\",\"object\":\"model\"}]}";
  answers.models = text(&answers.models_size, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s", strlen(models), models);
  free(event);
  free(last);
  free(content);
  free(body);
}
