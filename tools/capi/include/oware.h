/*
 * Oware (Awari, Wari) endgame tables from C.
 *
 * Link with liboware_capi (cargo build --release -p oware-capi). A board is 12 bytes: the seeds in
 * the mover's pits A to F, then in the opponent's a to f, both in sowing order. A value is the
 * seeds that the mover captures from here on minus those that the opponent captures, both playing
 * perfectly.
 *
 * An open database may be asked from many threads at once. Nothing here exits or aborts; a call
 * that fails says so by its result, and oware_error() says why.
 */
#ifndef OWARE_H
#define OWARE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The tables of one rule set in one folder. */
typedef struct oware_database oware_database;

/* A legal move. */
typedef struct oware_move {
    uint8_t pit;      /* 0 to 5, for A to F */
    uint8_t captured; /* seeds that the move captures */
    int8_t value;     /* what the mover gets by it from here on, the captured seeds included */
} oware_move;

/* In place of a value that could not be found. */
#define OWARE_NO_VALUE 127

/*
 * Opens the tables of a rule set ("awari", "abapa", "wari", "leave-first", "leave-last",
 * "opponent-takes-rest", "two-lap") in a folder; cache_bytes bounds the memory for decoded blocks
 * (0: 64 MiB). NULL when it fails.
 */
oware_database *oware_open(const char *folder, const char *rules, uint64_t cache_bytes);

/* Ways to read files, for oware_open_with(). */
#define OWARE_MAPPED 0 /* mapped: the fastest, but a file that another program cuts ends the process */
#define OWARE_READ 1   /* read block by block when needed: a file that is cut is an error */
#define OWARE_MEMORY 2 /* whole files in memory */

/* The same as oware_open(), which maps files, with a way to read files. */
oware_database *oware_open_with(const char *folder, const char *rules, uint64_t cache_bytes, int how);

/* Closes a database, which no thread may be asking any more. NULL is let pass. */
void oware_close(oware_database *database);

/* 1 when boards of so many seeds can be answered, else 0. */
int oware_has_level(const oware_database *database, uint8_t seeds);

/* The value of a board. 0 when it was found, -1 when it fails. */
int oware_value(const oware_database *database, const uint8_t board[12], int8_t *value);

/*
 * What the mover of a board secures and the most that it can hope for, in seeds more than the
 * opponent's, whatever settles endless play; needs tables of bounds. 0 when they were found, -1 when
 * it fails. A rule that counts positions from before the board can void a bound.
 */
int oware_bounds(const oware_database *database, const uint8_t board[12], int8_t *low, int8_t *high);

/*
 * The legal moves of a board, best first. Their number (0 when the board has ended), or -1 when it
 * fails.
 */
int oware_moves(const oware_database *database, const uint8_t board[12], oware_move moves[6]);

/*
 * The values of many boards, 12 bytes each: several times quicker than one by one, on several
 * threads. The number of boards whose value could not be found (OWARE_NO_VALUE stands in its place,
 * oware_error() is about the first of them); -1 when it fails altogether.
 */
int64_t oware_values(const oware_database *database, const uint8_t *boards, size_t count,
                     int8_t *values);

/* Why the last call in this thread failed; valid until the next. Never NULL. */
const char *oware_error(void);

#ifdef __cplusplus
}
#endif

#endif
