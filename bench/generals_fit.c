/* Generals for bench/fit_generals.py: the four-way game, what a position shows, the heuristic, and a net that learns
   from games what positions are worth. `fit_generals.py --check` compares what it sees with the kernel, which states the
   rules. A set of cells is 128 bits; role 0 attacks, role 1 defends. */
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 Cells;
typedef struct {
    Cells units[2];
    int turn, hits, garrisoned, struck, quiet, turns, die, converts, cell;
} Game;

#define FEATURES 48
#define MOST 1800
#define GOES_ON -2
#define BIT(cell) ((Cells)1 << (cell))
enum { GARRISON = 10000, STRIKE = 30000, CONVERT = 40000, PASS = 50000 };

static const char *PICTURE =
    "AAA....BBBAA......BBA........B...oooo......oGGo......oGGo......oooo...C........DCC......DDCCC....DDD";
static const int STRIDE[4] = {-10, 1, 10, -1};
static Cells ALL, NOT_FIRST, NOT_LAST, GENERAL, MOAT, FREE, LEFT, RIGHT, HOME, ZONE[8];
static uint64_t state;

static int size(Cells x) { return __builtin_popcountll((uint64_t)x) + __builtin_popcountll((uint64_t)(x >> 64)); }

static int lowest(Cells x) {
    uint64_t low = (uint64_t)x;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(x >> 64));
}

static uint64_t draw(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state * 2685821657736338717ULL;
}

static int below(int n) { return (int)((draw() >> 33) % n); }

static int outside(int line) { return line < 4 ? 4 - line : line > 5 ? line - 5 : 0; }

void begin(uint64_t seed) {
    for (int cell = 0; cell < 100 && !(ALL >> 99); cell++) {
        char kind = PICTURE[cell];
        int rows = outside(cell / 10), columns = outside(cell % 10), ring = rows > columns ? rows : columns;
        if (cell % 10) NOT_FIRST |= BIT(cell);
        if (cell % 10 != 9) NOT_LAST |= BIT(cell);
        if (kind == 'G') GENERAL |= BIT(cell);
        if (kind == 'o') MOAT |= BIT(cell);
        if (kind == '.' || kind == 'o') FREE |= BIT(cell);
        if (kind == 'A') LEFT |= BIT(cell);
        if (kind == 'B') RIGHT |= BIT(cell);
        if (kind == 'C' || kind == 'D') HOME |= BIT(cell);
        if (ring) ZONE[2 * (ring - 1) + (rows == 0 || columns == 0)] |= BIT(cell);
        ALL |= BIT(cell);
    }
    state = seed * 0x9E3779B97F4A7C15ULL + 12345;
    for (int n = 0; n < 9; n++) draw();
}

static Cells step(Cells x, int way) {
    if (way == 0) return x >> 10;
    if (way == 1) return (x << 1) & NOT_FIRST;
    return way == 2 ? (x << 10) & ALL : (x >> 1) & NOT_LAST;
}

static Cells reach(Cells units, Cells taken, int die, int way) {
    Cells open = ALL & ~(taken | GENERAL);
    for (int n = 1; n < die; n++) units = step(units, way) & open;
    return step(units, way);
}

/* GOES_ON, the role that has won, or -1 for a draw (G20-G22) */
static int result(const Game *g) {
    if (g->hits >= 3) return 0;
    if (!g->units[0]) return 1;
    return g->quiet >= 100 || g->turns >= 1000 ? -1 : GOES_ON;
}

static void end_turn(Game *g, int progress) {
    g->die = g->converts = 0;
    g->turns++;
    g->quiet = progress ? 0 : g->quiet + 1;
    if (result(g) == GOES_ON) g->turn ^= 1;
}

static int list(Cells cells, int first, int *out) {
    int count = 0;
    for (; cells; cells &= cells - 1) out[count++] = first + lowest(cells);
    return count;
}

static int moves(const Game *g, int *out) {
    if (g->converts) return list(g->units[0] & (LEFT & BIT(g->cell) ? LEFT : RIGHT), CONVERT, out);
    Cells own = g->units[g->turn], taken = g->units[0] | g->units[1], land = ALL & ~own & ~(g->turn ? GENERAL : 0);
    int count = 0;
    for (int way = 0; way < 4; way++)
        count += list(reach(own, taken, g->die, way) & land, 100 * way - g->die * STRIDE[way], out + count);
    if (g->die == 6 && !(g->garrisoned >> g->turn & 1)) /* G23 */
        for (Cells from = own & (g->turn ? HOME : LEFT | RIGHT); from; from &= from - 1)
            count += list(FREE & ~taken, GARRISON + 100 * lowest(from), out + count);
    if (g->die == 1 && g->turn && !g->struck && size(own) < 3) /* G25 */
        count += list(g->units[0] & MOAT, STRIKE, out + count);
    return count;
}

static void attack(Game *g, Cells from) { /* G17-G19 */
    Cells guards = g->units[1] & MOAT;
    g->units[0] ^= from;
    if (!guards) {
        g->hits++;
    } else {
        for (int n = below(size(guards)); n; n--) guards &= guards - 1;
        g->units[1] ^= guards & -guards;
    }
    end_turn(g, 1);
}

static void play_move(Game *g, int origin, int way) {
    int target = origin + g->die * STRIDE[way], role = g->turn;
    Cells from = BIT(origin), to = BIT(target);
    if (to & GENERAL) {
        attack(g, from);
        return;
    }
    int killed = (g->units[1 - role] & to) != 0;
    g->units[1 - role] &= ~to;
    g->units[role] ^= from | to;
    Cells garrison = to & LEFT ? LEFT : to & RIGHT ? RIGHT : 0, found = role ? g->units[0] & garrison : 0;
    if (!found || from & garrison) { /* G27 */
        end_turn(g, killed);
    } else if (!(found & (found - 1))) {
        g->units[0] ^= found, g->units[1] ^= found;
        end_turn(g, 1);
    } else {
        g->converts = 1, g->cell = target, g->die = 0;
    }
}

static void apply(Game *g, int action) {
    int rest[MOST];
    if (action >= PASS) {
        end_turn(g, 0);
    } else if (action >= CONVERT) {
        g->units[0] ^= BIT(action - CONVERT), g->units[1] ^= BIT(action - CONVERT);
        end_turn(g, 1);
    } else if (action >= STRIKE) {
        g->units[0] ^= BIT(action - STRIKE);
        g->struck = 1, g->quiet = 0;
        if (!g->units[0] || !moves(g, rest)) end_turn(g, 0);
    } else if (action >= GARRISON) {
        g->units[g->turn] ^= BIT((action - GARRISON) / 100) | BIT((action - GARRISON) % 100);
        g->garrisoned |= 1 << g->turn;
        end_turn(g, 1);
    } else {
        play_move(g, action % 100, action / 100);
    }
}

/* What a position shows, in the order of games/generals/kernel_bots.py */
static void look_over(const Game *g, float *f) {
    Cells a = g->units[0], d = g->units[1], seen_a = 0, seen_d = 0;
    int attackers = size(a), defenders = size(d), guards = size(d & MOAT), n = 0;
    float head[14] = {1, attackers, defenders, attackers <= 2, attackers <= 4, defenders <= 2, guards == 0, guards >= 2,
                      g->hits == 1, g->hits >= 2, !(g->garrisoned & 1), !(g->garrisoned >> 1), !g->struck, g->quiet};
    memcpy(f, head, sizeof head), n = 14;
    for (int zone = 0; zone < 8; zone++, n++) f[n] = size(a & ZONE[zone]), f[n + 8] = size(d & ZONE[zone]);
    n += 8;
    int attacks = 0, lines = 0, kills = 0, falls = 0, entries = 0, refills = 0;
    Cells homes = (a & LEFT ? LEFT : 0) | (a & RIGHT ? RIGHT : 0);
    for (int die = 1; die <= 6; die++) {
        Cells of_a = 0, of_d = 0;
        for (int way = 0; way < 4; way++) {
            Cells met = reach(a, a | d, die, way);
            lines += size(met & GENERAL), of_a |= met, of_d |= reach(d, a | d, die, way);
        }
        attacks += (of_a & GENERAL) != 0, kills += (of_a & d) != 0, falls += (of_d & a) != 0;
        entries += (of_d & homes & ~d) != 0, refills += (of_d & MOAT & ~d) != 0;
        seen_a |= of_a, seen_d |= of_d;
    }
    float tail[18] = {(a & LEFT) != 0, (a & RIGHT) != 0, size(a & (LEFT | RIGHT)), guards ? 0 : attacks,
                      guards ? 0 : lines, guards == 1 ? attacks : 0, guards > 1 ? attacks : 0, guards ? lines : 0, kills,
                      falls, entries, refills, size(seen_d & a), size(seen_a & d), size(seen_a & d & MOAT),
                      attackers - (3 - g->hits) > defenders, g->hits >= 2 && !guards ? attacks : 0,
                      guards ? 0 : refills};
    memcpy(f + n, tail, sizeof tail);
}

void show(uint64_t *units, int hits, int garrisoned, int struck, int quiet, float *out) {
    Game g = {.hits = hits, .garrisoned = garrisoned, .struck = struck, .quiet = quiet};
    for (int role = 0; role < 2; role++) g.units[role] = (Cells)units[2 * role] | (Cells)units[2 * role + 1] << 50;
    look_over(&g, out);
}

/* The attacker's hope by a role's weights; a draw is none */
static double hope(const Game *g, const float *weights) {
    float f[FEATURES];
    double total = 0;
    if (result(g) != GOES_ON) return result(g) == 0 ? 1e9 : -1e9;
    look_over(g, f);
    for (int n = 0; n < FEATURES; n++) total += weights[n] * f[n];
    return total;
}

static int best(const Game *g, const float *weights, const int *actions, int count) {
    double highest = -1e18;
    int chosen = actions[0], rest[64];
    for (int n = 0; n < count && count > 1; n++) {
        Game trial = *g;
        apply(&trial, actions[n]);
        if (trial.converts) moves(&trial, rest), apply(&trial, rest[0]);
        double value = g->turn ? -hope(&trial, weights) : hope(&trial, weights);
        if (value > highest) highest = value, chosen = actions[n];
    }
    return chosen;
}

static int roll(Game *g, int *out) {
    for (;;) {
        g->die = 1 + below(6);
        int count = moves(g, out);
        if (count) return count;
        if (!g->units[g->turn]) return out[0] = PASS, 1;
    }
}

/* --- the net: inputs × HIDDEN, biases, out, straight, last; for the attacker, then for the defender --- */
enum { HIDDEN = 32, INPUTS = 100 + FEATURES, BIAS = INPUTS * HIDDEN, OUT = BIAS + HIDDEN, STRAIGHT = OUT + HIDDEN,
       LAST = STRAIGHT + INPUTS, NET = LAST + 1 };
typedef struct { int count, cells[24], role; float shows[FEATURES], hidden[HIDDEN]; double value; } Seen;

static void see(const Game *g, int role, const float *scale, Seen *seen) {
    seen->count = 0, seen->role = role;
    for (int side = 0; side < 2; side++)
        for (Cells x = g->units[side]; x; x &= x - 1) {
            int cell = lowest(x), column = cell % 10;
            seen->cells[seen->count++] = 50 * side + 5 * (cell / 10) + (column < 5 ? column : 9 - column);
        }
    look_over(g, seen->shows);
    for (int n = 0; n < FEATURES; n++) seen->shows[n] *= scale[n];
}

static void judge(const float *net, Seen *seen) {
    float sums[HIDDEN], total = net[LAST];
    memcpy(sums, net + BIAS, sizeof sums);
    for (int n = 0; n < seen->count; n++) {
        const float *row = net + seen->cells[n] * HIDDEN;
        for (int h = 0; h < HIDDEN; h++) sums[h] += row[h];
        total += net[STRAIGHT + seen->cells[n]];
    }
    for (int n = 0; n < FEATURES; n++) {
        const float *row = net + (100 + n) * HIDDEN, x = seen->shows[n];
        if (x == 0) continue;
        for (int h = 0; h < HIDDEN; h++) sums[h] += x * row[h];
        total += x * net[STRAIGHT + 100 + n];
    }
    for (int h = 0; h < HIDDEN; h++) total += sums[h] > 0 ? sums[h] * net[OUT + h] : 0, seen->hidden[h] = sums[h];
    seen->value = 1 / (1 + exp(-total));
}

/* A step towards a target, down the slope of the logarithmic loss */
static void correct(float *net, Seen *seen, double target, float rate) {
    float back[HIDDEN];
    judge(net, seen);
    float error = rate * (float)(target - seen->value);
    for (int h = 0; h < HIDDEN; h++) {
        int on = seen->hidden[h] > 0;
        back[h] = on ? error * net[OUT + h] : 0;
        net[OUT + h] += on ? error * seen->hidden[h] : 0, net[BIAS + h] += back[h];
    }
    net[LAST] += error;
    for (int n = 0; n < seen->count; n++) {
        float *row = net + seen->cells[n] * HIDDEN;
        for (int h = 0; h < HIDDEN; h++) row[h] += back[h];
        net[STRAIGHT + seen->cells[n]] += error;
    }
    for (int n = 0; n < FEATURES; n++) {
        float *row = net + (100 + n) * HIDDEN, x = seen->shows[n];
        if (x == 0) continue;
        for (int h = 0; h < HIDDEN; h++) row[h] += x * back[h];
        net[STRAIGHT + 100 + n] += x * error;
    }
}

static double worth(const Game *g, int role, const float *nets, const float *scale) {
    Seen seen;
    if (result(g) != GOES_ON) return result(g) == 0;
    see(g, role, scale, &seen);
    judge(nets + role * NET, &seen);
    return seen.value;
}

static int best_by_net(const Game *g, const float *nets, const float *scale, const int *actions, int count) {
    double highest = -1e18;
    int chosen = actions[0], rest[64];
    for (int n = 0; n < count && count > 1; n++) {
        Game trial = *g;
        apply(&trial, actions[n]);
        if (trial.converts) moves(&trial, rest), apply(&trial, rest[0]);
        double value = worth(&trial, g->turn, nets, scale);
        if (g->turn) value = -value;
        if (value > highest) highest = value, chosen = actions[n];
    }
    return chosen;
}

/* Games in which the roles of `by_net` (bits) follow the net and the others the heuristic's weights, with shares of
   random moves. Afterwards every position is drawn to what came of it (lambda) and to its successor's value: no hit by
   100 quiet turns is no win of the attacker. won: attacker, defender, draws. A rate of 0 learns nothing. */
void learn(float *nets, const float *heuristic, const float *scale, int by_net, const double *blunders, int games,
           uint64_t seed, double lambda, double rate, int *won) {
    static Seen seen[1001];
    for (int number = 0; number < games; number++) {
        Game g = {.units = {LEFT | RIGHT, HOME}};
        int actions[MOST], turns = 0;
        begin(seed * 1000003 + number);
        while (result(&g) == GOES_ON) {
            int n = g.die || g.converts ? moves(&g, actions) : roll(&g, actions), role = g.turn;
            if (below(1000) < 1000 * blunders[role]) apply(&g, actions[below(n)]);
            else if (by_net >> role & 1) apply(&g, best_by_net(&g, nets, scale, actions, n));
            else apply(&g, best(&g, heuristic + role * FEATURES, actions, n));
            if (g.converts || result(&g) != GOES_ON || rate == 0) continue;
            see(&g, role, scale, &seen[turns]);
            judge(nets + role * NET, &seen[turns++]);
        }
        double target = result(&g) == 0;
        won[result(&g) < 0 ? 2 : result(&g)]++;
        while (turns--) {
            double value = seen[turns].value;
            correct(nets + seen[turns].role * NET, &seen[turns], target, (float)rate);
            target = (1 - lambda) * value + lambda * target;
        }
    }
}

/* How far each thing that a position shows spreads over games of the heuristic: sums and squares */
int spread(const float *heuristic, int games, uint64_t seed, double *sums, double *squares) {
    int count = 0;
    begin(seed);
    for (int number = 0; number < games; number++) {
        Game g = {.units = {LEFT | RIGHT, HOME}};
        int actions[MOST];
        float shows[FEATURES];
        while (result(&g) == GOES_ON) {
            int n = g.die || g.converts ? moves(&g, actions) : roll(&g, actions);
            apply(&g, below(20) ? best(&g, heuristic + g.turn * FEATURES, actions, n) : actions[below(n)]);
            if (g.converts) continue;
            look_over(&g, shows), count++;
            for (int f = 0; f < FEATURES; f++) sums[f] += shows[f], squares[f] += shows[f] * shows[f];
        }
    }
    return count;
}
