/* Asks a folder of awari tables to 7 seeds; prints nothing and returns 0 when all is right. */
#include "oware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                        \
    do {                                                                   \
        if (!(what)) {                                                     \
            fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #what, oware_error()); \
            return 1;                                                      \
        }                                                                  \
    } while (0)

int main(int argc, char **argv)
{
    CHECK(argc == 3);

    /* What cannot be opened says why. */
    CHECK(oware_open("not/there", "awari", 0) == NULL);
    CHECK(strstr(oware_error(), "not/there") != NULL);
    CHECK(oware_open(argv[1], "chess", 0) == NULL);
    CHECK(strstr(oware_error(), "unknown rule set") != NULL);
    CHECK(oware_open(NULL, "awari", 0) == NULL);

    oware_database *database = oware_open(argv[1], "awari", 1 << 20);
    CHECK(database != NULL);
    CHECK(oware_has_level(database, 7) == 1);
    CHECK(oware_has_level(database, 8) == 0);

    /* The mover has no seeds: the opponent takes all seven. */
    const uint8_t ended[12] = {0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0};
    int8_t value = OWARE_NO_VALUE;
    oware_move moves[6];
    CHECK(oware_value(database, ended, &value) == 0 && value == -7);
    CHECK(oware_moves(database, ended, moves) == 0);

    /* The best move is worth the board. */
    const uint8_t board[12] = {1, 0, 1, 0, 0, 1, 1, 1, 0, 2, 0, 0};
    CHECK(oware_value(database, board, &value) == 0);
    int count = oware_moves(database, board, moves);
    CHECK(count == 3 && moves[0].value == value);
    for (int at = 1; at < count; at++)
        CHECK(moves[at].value <= moves[at - 1].value && moves[at].pit < 6);
    printf("%d\n", value);

    /* Every way to read files gives the same. */
    for (int how = OWARE_MAPPED; how <= OWARE_MEMORY; how++) {
        oware_database *other = oware_open_with(argv[1], "awari", 0, how);
        int8_t same = OWARE_NO_VALUE;
        CHECK(other != NULL && oware_value(other, board, &same) == 0 && same == value);
        oware_close(other);
    }
    CHECK(oware_open_with(argv[1], "awari", 0, 3) == NULL);
    CHECK(strstr(oware_error(), "3 is not a way to read files") != NULL);

    /* Bounds hold the value and have the parity of the seeds. */
    int8_t low = 1, high = 0;
    CHECK(oware_bounds(database, board, &low, &high) == 0);
    CHECK(low <= value && value <= high && (7 - low) % 2 == 0 && (7 - high) % 2 == 0);
    CHECK(oware_bounds(database, board, NULL, &high) == -1);
    CHECK(oware_bounds(database, ended, &low, &high) == 0 && low == -7 && high == -7);

    /* A level that is not there, and boards that are none. */
    const uint8_t eight[12] = {1, 0, 1, 0, 0, 1, 1, 1, 0, 3, 0, 0};
    const uint8_t heavy[12] = {40, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    CHECK(oware_value(database, eight, &value) == -1);
    CHECK(strstr(oware_error(), "no awari table of 8 seeds") != NULL);
    CHECK(oware_value(database, heavy, &value) == -1);
    CHECK(oware_value(database, NULL, &value) == -1);
    CHECK(oware_value(NULL, board, &value) == -1);

    /* A batch: every board of a file, some of which fail. */
    FILE *file = fopen(argv[2], "rb");
    CHECK(file != NULL);
    static uint8_t boards[12 * 20000];
    static int8_t values[20000];
    size_t all = fread(boards, 12, 20000 - 2, file);
    fclose(file);
    CHECK(all > 10000);
    memcpy(boards + 12 * all, eight, 12);
    memcpy(boards + 12 * (all + 1), heavy, 12);
    CHECK(oware_values(database, boards, all + 2, values) == 2);
    CHECK(values[all] == OWARE_NO_VALUE && values[all + 1] == OWARE_NO_VALUE);
    for (size_t at = 0; at < all; at++) {
        CHECK(oware_value(database, boards + 12 * at, &value) == 0);
        CHECK(value == values[at]);
    }
    CHECK(oware_values(database, NULL, 0, NULL) == 0);
    CHECK(oware_values(database, NULL, 1, values) == -1);

    oware_close(database);
    oware_close(NULL);
    return 0;
}
