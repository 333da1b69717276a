/** A small set of drawn faces: people choose one, the server keeps its name. Each is drawn in a square of 40. */
const EYES = '<circle cx="15" cy="20" r="2" fill="#23262b"/><circle cx="25" cy="20" r="2" fill="#23262b"/>';
const SMILE = '<path d="M15 27a6 6 0 0 0 10 0" fill="none" stroke="#23262b" stroke-width="1.8" stroke-linecap="round"/>';
const head = (fill: string): string => `<circle cx="20" cy="22" r="14" fill="${fill}"/>`;
const pair = (shape: (side: -1 | 1) => string): string => shape(-1) + shape(1);
const disc = (x: number, y: number, r: number, fill: string): string => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
const NOSE = '<path d="M17.5 24h5l-2.5 2.6z" fill="#23262b"/>';

export const FACES = {
  fox:
    pair((s) => `<path d="M${20 + s * 5} 12L${20 + s * 14} 3L${20 + s * 13} 19z" fill="#e06c1f"/>`) +
    head("#ee8433") + `<path d="M20 30L7 24a14 14 0 0 0 26 0z" fill="#fff6e8"/>` + EYES + disc(20, 28, 2.4, "#23262b"),
  cat:
    pair((s) => `<path d="M${20 + s * 3} 11L${20 + s * 13} 3L${20 + s * 14} 18z" fill="#6d7683"/>`) +
    head("#8b95a3") + EYES + NOSE + '<path d="M20 26.5v2M20 28.5a3 3 0 0 1-4 0M20 28.5a3 3 0 0 0 4 0M3 22l8 2M3 28l8-1M37 22l-8 2M37 28l-8-1" fill="none" stroke="#23262b" stroke-width="1.3" stroke-linecap="round"/>',
  bear: pair((s) => disc(20 + s * 11, 11, 5, "#6b4526") + disc(20 + s * 11, 11, 2.5, "#c58f5f")) + head("#87592f") + '<ellipse cx="20" cy="27" rx="6.5" ry="5" fill="#d9ab7b"/>' + EYES + NOSE,
  panda: pair((s) => disc(20 + s * 11, 11, 5, "#23262b")) + head("#ffffff") + pair((s) => `<ellipse cx="${20 + s * 5.5}" cy="20" rx="4" ry="5" fill="#23262b" transform="rotate(${s * -20} ${20 + s * 5.5} 20)"/>` + disc(20 + s * 5, 20, 1.5, "#ffffff")) + NOSE + SMILE.replace("27", "28"),
  rabbit: pair((s) => `<ellipse cx="${20 + s * 6}" cy="9" rx="3.8" ry="9" fill="#f3e6e2"/><ellipse cx="${20 + s * 6}" cy="9" rx="1.8" ry="6.5" fill="#f09cae"/>`) + head("#f3e6e2") + EYES + '<path d="M18 24.5h4l-2 2.2z" fill="#e06a84"/><path d="M18 29h4v3h-4z" fill="#fff" stroke="#b9a7a2" stroke-width=".8"/>',
  frog: pair((s) => disc(20 + s * 8, 11, 5.5, "#3f9b47") + disc(20 + s * 8, 11, 3.4, "#ffffff") + disc(20 + s * 8, 11, 1.8, "#23262b")) + head("#4fb357") + '<path d="M10 24a11 8 0 0 0 20 0" fill="none" stroke="#1f5a25" stroke-width="2" stroke-linecap="round"/>',
  owl: pair((s) => `<path d="M${20 + s * 6} 10L${20 + s * 14} 5L${20 + s * 13} 16z" fill="#6a4a83"/>`) + head("#8465a0") + pair((s) => disc(20 + s * 6, 20, 5.6, "#fff6e8") + disc(20 + s * 6, 20, 2.6, "#23262b")) + '<path d="M17.6 24.5h4.8L20 29.5z" fill="#f2a51f"/>',
  dog: head("#d8a25e") + pair((s) => `<ellipse cx="${20 + s * 13}" cy="19" rx="4.2" ry="9" fill="#7d4f26" transform="rotate(${s * -12} ${20 + s * 13} 19)"/>`) + '<ellipse cx="20" cy="28" rx="6" ry="4.6" fill="#fff1dc"/>' + EYES + '<ellipse cx="20" cy="25.6" rx="2.8" ry="2" fill="#23262b"/><path d="M18.6 31a1.6 2.6 0 0 0 2.8 0z" fill="#e0566f"/>',
  mouse: pair((s) => disc(20 + s * 12, 10, 7, "#a4a8b0") + disc(20 + s * 12, 10, 4.4, "#f2b6c1")) + head("#bfc3ca") + EYES + disc(20, 26, 2.2, "#e0566f") + '<path d="M6 25l8 1M6 30l8-2M34 25l-8 1M34 30l-8-2" stroke="#5d626b" stroke-width="1.1" stroke-linecap="round"/>',
  lion: disc(20, 21, 18, "#b8651b") + disc(20, 22, 12.5, "#f2b64a") + EYES + NOSE + '<path d="M20 26.5v1.5M20 28a3.2 3.2 0 0 1-4.4 0M20 28a3.2 3.2 0 0 0 4.4 0" fill="none" stroke="#23262b" stroke-width="1.4" stroke-linecap="round"/>',
  chick: '<path d="M20 3c2 2 1 4 0 6c-1-2-4-3-3-6z" fill="#f2a51f"/>' + head("#ffd84a") + EYES + '<path d="M15.5 25h9L20 30z" fill="#ee7f1a"/>' + pair((s) => disc(20 + s * 9.5, 25.5, 2.3, "#ffb36b")),
  pig: pair((s) => `<path d="M${20 + s * 6} 11L${20 + s * 14} 6L${20 + s * 13} 16z" fill="#e58aa0"/>`) + head("#f6aebd") + EYES + '<ellipse cx="20" cy="27" rx="6.2" ry="4.4" fill="#e58aa0"/><circle cx="17.8" cy="27" r="1.3" fill="#8f3d53"/><circle cx="22.2" cy="27" r="1.3" fill="#8f3d53"/>',
} as const;
export type FaceName = keyof typeof FACES;

export const FACE_NAMES = Object.keys(FACES) as FaceName[];

export function isFace(name: string | undefined): name is FaceName {
  return name !== undefined && Object.hasOwn(FACES, name);
}
