/** Pieces on their way. The page already shows the position after the step; each piece comes from where it was. */
import { wayOf, type Move, type Piece, type Place, type Point } from "./scene";

export interface Ride {
  piece: string;
  way: Point[];
  delay: number;
  time: number;
  from: number;
  to: number;
}

/** Which pieces go where, and when: movers first, captured pieces when the mover arrives. */
export function ridesOf(before: Piece[], after: Piece[], move: Move | null, places: Map<string, Place>, step: number): Ride[] {
  const rides: Ride[] = [];
  const was = new Map(before.map((piece) => [piece.id, piece]));
  const movers = new Set(move?.pieces ?? []);
  let arrival = 0;
  for (const to of after) {
    const from = was.get(to.id);
    if (!from || !move || !movers.has(to.id)) continue;
    const way = from.place === to.place ? [at(from), at(to)] : wayOf(from, to, move, places);
    const time = step * Math.min(14, Math.max(way.length - 1, 2));
    arrival = Math.max(arrival, time);
    rides.push({ piece: to.id, way, delay: 0, time, from: from.r, to: to.r });
  }
  for (const to of after) {
    const from = was.get(to.id);
    if (!from || (move && movers.has(to.id)) || (from.x === to.x && from.y === to.y && from.r === to.r)) continue;
    const isFar = from.place !== to.place;
    const delay = isFar ? arrival : Math.max(0, arrival - step);
    rides.push({ piece: to.id, way: [at(from), at(to)], delay, time: isFar ? step * 4 : step, from: from.r, to: to.r });
  }
  return rides;
}

function at(piece: Piece): Point {
  return [piece.x, piece.y];
}

/** Runs the rides on the page's elements; resolves when all have arrived. */
export async function ride(rides: Ride[], element: (piece: string) => SVGElement | null): Promise<void> {
  const runs = rides.map(({ piece, way, delay, time, from, to }) => {
    const frames = way.map(([x, y], n) => {
      const r = from + ((to - from) * n) / Math.max(1, way.length - 1);
      return { transform: `translate(${x}px, ${y}px) scale(${r})` };
    });
    const timing = { duration: time, delay, easing: way.length > 2 ? "linear" : "ease-in-out", fill: "backwards" as const };
    return element(piece)?.animate(frames, timing).finished.catch(() => undefined);
  });
  await Promise.all(runs);
}
