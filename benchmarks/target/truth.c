/* What really happened, kept in memory and written as JSON lines when it is asked for. */
#include "target.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct truth *records;
static long used, room;

int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Wall clock minus monotonic clock, ns. */
static int64_t wall_offset(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec - now_ns();
}

struct truth *truth_begin(const char *id, size_t length, int64_t arrival) {
  if (options.log == NULL || used >= options.log_max) return NULL;
  if (records == NULL) {
    room = options.log_max;
    /* Reserved at once, so that no request pays for growth; pages are taken as they are used. */
    records = calloc((size_t)room, sizeof *records);
  }
  struct truth *truth = &records[used++];
  if (length >= sizeof truth->id) length = sizeof truth->id - 1;
  if (id != NULL) memcpy(truth->id, id, length);
  truth->arrival = arrival;
  truth->count = 0;
  if (truth->sent == NULL) truth->sent = malloc(sizeof *truth->sent * (size_t)(options.tokens + 1));
  return truth;
}

void truth_reset(void) {
  for (long i = 0; i < used; i++) records[i].id[0] = 0;
  used = 0;
}

void truth_write(void) {
  if (options.log == NULL) return;
  FILE *file = fopen(options.log, "w");
  if (file == NULL) return;
  int64_t offset = wall_offset();
  for (long i = 0; i < used; i++) {
    const struct truth *truth = &records[i];
    fprintf(file, "{\"id\":\"%s\",\"arrivalUnixNs\":\"%lld\",\"sentUs\":[", truth->id, (long long)(truth->arrival + offset));
    for (int k = 0; k < truth->count; k++) fprintf(file, k == 0 ? "%d" : ",%d", truth->sent[k]);
    fputs("]}\n", file);
  }
  fclose(file);
}
