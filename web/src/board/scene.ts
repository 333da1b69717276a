/** Boards and positions as the server draws them (docs/scene.md). Nothing here knows a rule. */
export interface Place {
  id: string;
  kind: string;
  roles: string[];
  colour: string | null;
  x: number;
  y: number;
  size: number;
  outline: [number, number][];
  label: string;
}

export interface Player {
  player: string;
  colour: string;
  fill: string;
  ink: string;
  letter: string;
  title: string;
  /** Quarter turns, clockwise, that bring the player's own side to the bottom. */
  turn: number;
  /** Where its dice lie: x, y and side; null where the board has no room. */
  tray?: [number, number, number] | null;
}

export interface Scene {
  family: string;
  name: string;
  title: string;
  view_box: [number, number, number, number];
  board: string;
  labels: string;
  places: Place[];
  slots: Record<string, [number, number][]>;
  players: Player[];
  /** What chance uses. */
  device: string;
  /** Whether players hold cards: they are dealt without anybody's doing. */
  hands?: boolean;
  tokens: Record<string, string>;
}

export interface Piece {
  id: string;
  player: string;
  place: string;
  x: number;
  y: number;
  r: number;
  offset: [number, number];
  token: string;
  marks: string[];
}

export interface Move {
  move: string;
  kind: string;
  text: string;
  player: string;
  pieces: string[];
  dice?: string[];
  origin: string | null;
  path: string[];
  target: string | null;
  captures: { piece: string | null; player: string; place: string }[];
  converts: string[];
  swaps?: { piece: string | null; player: string; place: string }[];
  finishes: boolean;
  jumps: boolean;
  bounces?: boolean;
  sent_home?: boolean;
  lost?: number;
  /** The card of the hand that it takes. */
  card?: string | null;
}

/** One thing that a move or a roll did. */
export interface Event {
  what: string;
  player: string;
  piece: string | null;
  origin: string | null;
  target: string | null;
  number: number | null;
  name: string | null;
}

/** What was thrown last, by whom, and whether it still rolls. */
export interface Cast {
  player: string;
  text: string;
  dice: string[];
  rolling: boolean;
}

export interface View {
  ply: number;
  turn: string;
  to_move: string | null;
  roll_due: boolean;
  dice: string[];
  kept: string[];
  pieces: Piece[];
  seats: { player: string; marks?: string[]; [fact: string]: unknown }[];
  state: Record<string, unknown>;
  /** The board, once rules have changed during play; null while the scene's own holds. */
  board: string | null;
  overlay: string;
  moves: Move[];
  result: Record<string, number> | null;
}

export type Point = [number, number];

/** The rectangle that shows a board after quarter turns around its middle. */
export function turnedBox([left, top, width, height]: Scene["view_box"], turns: number): Scene["view_box"] {
  if (turns % 2 === 0) return [left, top, width, height];
  return [left + (width - height) / 2, top + (height - width) / 2, height, width];
}

/** Where a point comes to by quarter turns, clockwise, around the middle of the board. */
export function turnedPoint([x, y]: Point, box: Scene["view_box"], turns: number): Point {
  const [cx, cy] = middleOf(box);
  let [dx, dy] = [x - cx, y - cy];
  for (let n = 0; n < turns % 4; n++) [dx, dy] = [-dy, dx];
  return [cx + dx, cy + dy];
}

export function middleOf([left, top, width, height]: Scene["view_box"]): Point {
  return [left + width / 2, top + height / 2];
}

export function placesById(scene: Scene): Map<string, Place> {
  return new Map(scene.places.map((place) => [place.id, place]));
}

/** Pieces of one player on one place, where there are several; a yard shows each by itself. */
export function stacksOf(pieces: Piece[], places: Map<string, Place>): Piece[][] {
  const stacks = new Map<string, Piece[]>();
  for (const piece of pieces) {
    if (places.get(piece.place)?.kind === "yard") continue;
    const key = `${piece.player} ${piece.place}`;
    stacks.set(key, [...(stacks.get(key) ?? []), piece]);
  }
  return [...stacks.values()].filter((stack) => stack.length > 1);
}

/** The pieces with every stack on one spot: how it is piled up depends on how the board is turned. */
export function piled(pieces: Piece[], places: Map<string, Place>, turns = 0): Piece[] {
  const spots = new Map(stacksOf(pieces, places).flatMap((stack) => stack.map((piece) => [piece.id, stack[0] ?? piece] as const)));
  return pieces.map((piece) => {
    const spot = spots.get(piece.id) ?? piece;
    const place = places.get(piece.place);
    // several on a tile stand beside each other as one sees them, from whatever side: behind each other they would hide
    const [x, y] = turns % 4 && place && place.kind !== "yard" ? upright(spot, place, turns) : [spot.x, spot.y];
    return { ...piece, x, y };
  });
}

/** Where a piece stands so that, on a board turned by quarter turns, it is seen where it would be on one that is not. */
function upright(piece: Piece, place: Place, turns: number): Point {
  let [dx, dy] = [piece.x - place.x, piece.y - place.y];
  for (let n = 0; n < turns % 4; n++) [dx, dy] = [dy, -dx];
  return [place.x + dx, place.y + dy];
}

/** How far around its middle a piece takes clicks, in its own size: half a tile, where no other piece is as near. */
export function reachOf(piece: Piece, pieces: Piece[]): number {
  const isCrowded = pieces.some((one) => one.id !== piece.id && Math.hypot(one.x - piece.x, one.y - piece.y) < 0.5 + one.r);
  return isCrowded ? 1 : Math.max(1.05, 0.5 / piece.r);
}

/** The moves that a piece can begin: pieces of one player on one place are alike, except frozen ones. */
export function movesOf(piece: Piece, moves: Move[]): Move[] {
  return moves.filter(
    (move) =>
      move.pieces.includes(piece.id) ||
      (move.origin === piece.place && move.player === piece.player && !piece.marks.includes("frozen")),
  );
}

/** The moves that go with the dice a player picked: those that use exactly these; none picked, all moves. */
export function movesWith(dice: string[], moves: Move[]): Move[] {
  if (dice.length === 0) return moves;
  const wanted = [...dice].sort().join();
  return moves.filter((move) => [...(move.dice ?? [])].sort().join() === wanted);
}

/** The cards that a player holds, where they may be seen. */
export function handOf(view: View, player: string): string[] {
  const cards = handsOf(view)[player];
  return Array.isArray(cards) ? cards : [];
}

/** How many cards a player holds; null where nobody holds any. */
export function cardsHeld(view: View, player: string): number | null {
  const hands = handsOf(view);
  const cards = hands[player] ?? 0;
  return Object.keys(hands).length ? (typeof cards === "number" ? cards : cards.length) : null;
}

function handsOf(view: View): Record<string, string[] | number> {
  return (view.state.hands ?? {}) as Record<string, string[] | number>;
}

/** Moves with those that take one card together, in the order of the hand. */
export function byCard(moves: Move[], hand: string[]): Move[] {
  return [...moves].sort((one, other) => hand.indexOf(one.card ?? "") - hand.indexOf(other.card ?? ""));
}

/** Whether one more die can be picked beside those picked already: some move uses them all. */
export function canPick(picked: string[], moves: Move[]): boolean {
  return moves.some((move) => {
    const left = [...(move.dice ?? [])];
    return picked.every((die) => {
      const at = left.indexOf(die);
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
  });
}

/** What a roll that is told threw; dice as tokens, where the scene has them. */
export function castOf(line: { player?: string; by: string; text: string }, scene: Scene | null, rolling = false): Cast {
  const dice = line.text.split(",").map((face) => `die:${face}`);
  const known = dice.every((die) => scene && die in scene.tokens);
  return { player: line.player ?? line.by, text: line.text, dice: known ? dice : [], rolling };
}

/** What lies there though nobody saw it fall: in a game that began in the middle, or on a board of the rule book. */
export function lyingIn(view: Pick<View, "dice" | "kept" | "turn">, scene: Scene | null): Cast | null {
  const dice = view.dice.length ? view.dice : view.kept;
  return dice.length && !scene?.hands ? { player: view.turn, text: dice.map((die) => die.replace("die:", "")).join(), dice, rolling: false } : null;
}

/** The points a piece passes on a move, from where it stands to where it will stand. */
export function wayOf(from: Piece, to: Piece | undefined, move: Move, places: Map<string, Place>): Point[] {
  const middle: Point[] = [];
  for (const id of move.path.slice(0, -1)) {
    const place = places.get(id);
    if (place) middle.push([place.x, place.y]);
  }
  const last = places.get(move.target ?? "");
  const end: Point = to ? [to.x, to.y] : last ? [last.x, last.y] : [from.x, from.y];
  return [[from.x, from.y], ...middle, end];
}

/** What an arrow says of a move: that it was the best, that it was played, or that it was a bad mistake. */
export interface Arrow {
  move: Move;
  says: "best" | "played" | "blunder";
}

/** The points of an arrow's line and of its head, `size` long; none for a move that stays where it is. */
export function arrowOf(pieces: Piece[], move: Move, places: Map<string, Place>, size = 0.55): { line: Point[]; head: Point[] } | null {
  const origin = places.get(move.origin ?? "");
  const piece = pieces.find((one) => one.id === move.pieces[0] && (!origin || one.place === move.origin));
  const way = trailOf(piece, move, places);
  if (!piece && origin) way.unshift([origin.x, origin.y]);
  const [before, tip] = way.slice(-2);
  if (!before || !tip) return null;
  const far = Math.hypot(tip[0] - before[0], tip[1] - before[1]);
  if (far === 0) return null;
  const [x, y] = [((tip[0] - before[0]) / far) * size, ((tip[1] - before[1]) / far) * size];
  const foot: Point = [tip[0] - x, tip[1] - y];
  return { line: [...way.slice(0, -1), foot], head: [tip, [foot[0] - y * 0.6, foot[1] + x * 0.6], [foot[0] + y * 0.6, foot[1] - x * 0.6]] };
}

/** The line that shows where a move goes: over the middles of its places. */
export function trailOf(piece: Piece | undefined, move: Move, places: Map<string, Place>): Point[] {
  const points: Point[] = piece ? [[piece.x, piece.y]] : [];
  for (const id of move.path) {
    const place = places.get(id);
    if (place) points.push([place.x, place.y]);
  }
  return points;
}
