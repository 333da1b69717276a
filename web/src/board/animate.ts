/** Pieces on their way: they hop from place to place, and what they take flies home when they land on it. */
import { wayOf, type Event, type Move, type Piece, type Place, type Point } from "./scene";

export interface Ride {
  piece: string;
  /** Where it touches the board, one hop after the other. */
  way: Point[];
  delay: number;
  /** Milliseconds of one hop. */
  hop: number;
  /** How high it hops, in its own size. */
  height: number;
  from: number;
  to: number;
}

/** Something to be seen and heard at a moment. */
export interface Beat {
  at: number;
  what: "step" | "capture" | "home";
  place: string;
}

export interface Show {
  rides: Ride[];
  beats: Beat[];
}

/** More hops than this are made as quickly as these many. */
const MOST_HOPS = 14;

/** Which pieces go where, and when: movers first, what is taken when a mover lands on it, the others make room. */
export function showOf(before: Piece[], after: Piece[], move: Move | null, events: Event[], places: Map<string, Place>, step: number): Show {
  const was = new Map(before.map((piece) => [piece.id, piece]));
  const movers = moversOf(move, events);
  const rides: Ride[] = [];
  const beats: Beat[] = [];
  let arrival = 0;
  for (const to of after) {
    const from = was.get(to.id);
    if (!from || !move || !movers.has(to.id)) continue;
    const way = from.place === to.place ? [at(from), at(to)] : wayOf(from, to, move, places);
    const hops = Math.max(1, way.length - 1);
    const hop = (step * Math.min(MOST_HOPS, Math.max(hops, 2))) / hops;
    rides.push({ piece: to.id, way, delay: 0, hop, height: 0.9, from: from.r, to: to.r });
    for (let n = 1; n <= hops; n++) beats.push({ at: n * hop, what: "step", place: move.path[n - 1] ?? to.place });
    arrival = Math.max(arrival, hops * hop);
  }
  const landed = (place: string): number => beats.find((beat) => beat.what === "step" && beat.place === place)?.at ?? arrival;
  const taken = new Map(events.filter((event) => event.what === "captured").map((event) => [event.piece, event.origin ?? ""]));
  for (const to of after) {
    const from = was.get(to.id);
    if (!from || (move && movers.has(to.id)) || isSame(from, to)) continue;
    if (from.place === to.place) {
      rides.push({ piece: to.id, way: [at(from), at(to)], delay: Math.max(0, arrival - step), hop: step, height: 0, from: from.r, to: to.r });
      continue;
    }
    const delay = taken.has(to.id) ? landed(taken.get(to.id) ?? "") : arrival;
    rides.push({ piece: to.id, way: [at(from), at(to)], delay, hop: step * 4.5, height: 3, from: from.r, to: to.r });
    beats.push({ at: delay, what: "capture", place: from.place });
  }
  if (events.some((event) => event.what === "came_home") || move?.finishes) beats.push({ at: arrival, what: "home", place: move?.target ?? "" });
  return { rides, beats };
}

function moversOf(move: Move | null, events: Event[]): Set<string> {
  const told = events.filter((event) => event.player === move?.player && event.piece && event.origin !== event.target);
  const named = told.filter((event) => ["moved", "came_out", "bought", "swapped"].includes(event.what)).map((event) => event.piece ?? "");
  return new Set(named.length ? named : (move?.pieces ?? []));
}

function isSame(one: Piece, other: Piece): boolean {
  return one.x === other.x && one.y === other.y && one.r === other.r;
}

function at(piece: Piece): Point {
  return [piece.x, piece.y];
}

/** A show that runs: it can be cut short, and what it left on the page is cleared when the page shows what came of it. */
export class Running {
  readonly done: Promise<void>;
  private runs: Animation[] = [];
  private timers: ReturnType<typeof setTimeout>[] = [];
  private isCut = false;

  constructor(begin: (running: Running) => Promise<void>) {
    this.done = begin(this).then(async () => {
      await Promise.all(this.runs.map((run) => run.finished.catch(() => undefined)));
    });
  }

  ride({ piece, way, delay, hop, height, from, to }: Ride, element: (piece: string) => SVGElement | null): void {
    const [ground, hops] = [element(piece), way.length - 1];
    const body = ground?.querySelector<SVGElement>(".body");
    if (!ground || hops < 1) return;
    const timing = { duration: hop * hops, delay, fill: "both" as const };
    const frames = way.map(([x, y], n) => ({
      transform: `translate(${x}px, ${y}px) scale(${from + ((to - from) * n) / hops})`,
      easing: height ? "cubic-bezier(0.45, 0.1, 0.55, 0.9)" : "ease-in-out",
    }));
    this.add(ground.animate(frames, timing));
    if (body && height) this.add(body.animate(leaps(hops, height), timing));
  }

  beat(at: number, then: () => void): void {
    this.timers.push(setTimeout(then, at));
  }

  /** To the end at once, without a sound. */
  cut(): void {
    this.isCut = true;
    this.timers.forEach(clearTimeout);
    for (const run of this.runs) run.finish();
  }

  clear(): void {
    for (const run of this.runs) run.cancel();
  }

  private add(run: Animation): void {
    this.runs.push(run);
    if (this.isCut) run.finish();
  }
}

function leaps(hops: number, height: number): Keyframe[] {
  const frames: Keyframe[] = [];
  for (let n = 0; n < hops; n++) {
    frames.push({ transform: "translateY(0)", offset: n / hops, easing: "ease-out" });
    frames.push({ transform: `translateY(${-height}px)`, offset: (n + 0.5) / hops, easing: "ease-in" });
  }
  return [...frames, { transform: "translateY(0)", offset: 1 }];
}
