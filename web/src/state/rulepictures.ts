/** House rules as small pictures: a row of tiles with pieces or dice, and how one of them goes. Decoration: the words say it all. */
export interface RulePicture {
  /** One sign a cell: see `SIGNS`. */
  cells: string;
  /** From one cell to another; to one past the last where it goes too far. */
  hop?: readonly [from: number, to: number];
  /** Where it comes back to, after that. */
  back?: number;
  /** The way that is not open. */
  stopped?: boolean;
  note?: string;
}

/** What a sign shows: a tile, a piece on a tile, two of them, home, a die, pieces off the board. */
export const SIGNS = {
  ".": { tile: true, pieces: [] },
  g: { tile: true, pieces: ["green"] },
  r: { tile: true, pieces: ["red"] },
  G: { tile: true, pieces: ["green", "green"] },
  "*": { tile: true, pieces: [], home: true },
  h: { tile: true, pieces: ["green"], home: true },
  "6": { tile: false, pieces: [], die: 6 },
  "1": { tile: false, pieces: [], die: 1 },
  a: { tile: false, pieces: ["green"] },
  b: { tile: false, pieces: ["blue"] },
  c: { tile: false, pieces: ["yellow"] },
  d: { tile: false, pieces: ["red"] },
  A: { tile: false, pieces: ["green", "blue"] },
  C: { tile: false, pieces: ["yellow", "red"] },
} as const;

const CAPTURES: RulePicture = { cells: "g.r", hop: [0, 2] };
const COMES_HOME: RulePicture = { cells: "g.*", hop: [0, 2] };

/** By option, and by value where it is chosen from several. */
export const PICTURES: Record<string, Record<string, RulePicture>> = {
  "turn.again_on": { six: { cells: "6" }, capture: CAPTURES, finish: COMES_HOME },
  "board.pieces": { 1: { cells: "a" }, 2: { cells: "aa" }, 3: { cells: "aaa" }, 4: { cells: "aaaa" } },
  "chance.dice": { 1: { cells: "6" }, 2: { cells: "61" } },
  "turn.attempts": { 1: { cells: "1" }, 3: { cells: "116" } },
  "turn.sixes_limit": { 0: { cells: "666" }, 3: { cells: "666", stopped: true } },
  "block.stops": {
    none: { cells: "rG.", hop: [0, 2] },
    opponents: { cells: "rG.", hop: [0, 2], stopped: true },
    all: { cells: "gG.", hop: [0, 2], stopped: true },
  },
  "finish.rule": { exact: COMES_HOME, overshoot: { cells: "g.*", hop: [0, 3] }, bounce: { cells: "g.*", hop: [0, 2], back: 1 } },
  "capture.capture_bonus": { 0: CAPTURES, 10: { ...CAPTURES, note: "+10" }, 20: { ...CAPTURES, note: "+20" } },
  "modes.mode": { ffa: { cells: "abcd" }, teams: { cells: "AC" } },
  "capture.duty": { true: { ...CAPTURES, note: "!" } },
  "capture.before_home": { true: { cells: "gr.*", hop: [0, 3], stopped: true } },
  "win.play_on": { true: { cells: "h.g*", hop: [2, 3] } },
  "finish.passing": { true: { cells: "gg.*", hop: [0, 2] } },
};
