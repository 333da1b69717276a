import { MediaQuery } from "svelte/reactivity";
import type { Scene } from "../board/scene";

/** What a player chose once: language, look, speed and name. Kept in this browser only. */
export type Language = "en" | "fr";
export type Theme = "auto" | "light" | "dark";
/** `own`: what the game's board has always been made of. */
export type BoardLook = "own" | "clean" | "wood" | "cloth";
/** What pieces bear besides their colour. */
export type Marks = "none" | "letters" | "shapes";
export type Speed = "off" | "fast" | "normal" | "slow";

export interface Settings {
  lang: Language;
  theme: Theme;
  board: BoardLook;
  marks: Marks;
  speed: Speed;
  name: string;
  face: string;
  /** Name and face were asked for. */
  introduced: boolean;
  /** Nothing that others say is shown. */
  quiet: boolean;
  numbers: boolean;
  autoRoll: boolean;
  /** The player's own side of the board at the bottom. */
  ownSide: boolean;
  /** A move that is the only one is played without being asked for. */
  onlyMove: boolean;
  /** Alone against bots a tutor stops bad moves, and shows what the next roll would make of the position. */
  tutor: boolean;
  sound: boolean;
  /** A notice of the system when it is one's turn and the page is not seen. */
  notify: boolean;
  vibration: boolean;
}

const KEY = "ludus.settings";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
systemIsDark.addEventListener("change", () => keepSettings());

function systemDefaults(): Settings {
  const french = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === "fr" || tag === "en") === "fr";
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const contrast = matchMedia("(prefers-contrast: more), (forced-colors: active)").matches;
  const look = { theme: "auto", board: "own", marks: contrast ? "letters" : "none", speed: still ? "off" : "normal", numbers: false, ownSide: true } as const;
  return { lang: french ? "fr" : "en", name: "", face: "", introduced: false, quiet: false, ...look, autoRoll: false, onlyMove: true, tutor: false, sound: true, notify: false, vibration: true };
}

function stored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
  } catch {
    return {};
  }
}

export const settings: Settings = $state({ ...systemDefaults(), ...stored() });

/** Call once, inside an effect: keeps the browser's copy and the page's look in step. */
export function keepSettings(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // a browser without storage still plays
  }
  document.documentElement.lang = settings.lang;
  document.documentElement.dataset.theme = settings.theme;
  const dark = settings.theme === "dark" || (settings.theme === "auto" && systemIsDark.matches);
  document.documentElement.classList.toggle("dark", dark);
  document.documentElement.dataset.motion = settings.speed === "off" ? "off" : "on";
}

/** Milliseconds that one step of a piece takes; 0 where nothing moves. */
export function stepTime(speed: Speed): number {
  return { off: 0, fast: 75, normal: 150, slow: 280 }[speed];
}

/** Milliseconds that dice tumble. */
export function rollTime(speed: Speed): number {
  return { off: 0, fast: 280, normal: 520, slow: 900 }[speed];
}

/** Milliseconds to read what was thrown or played, before the next thing happens. */
export function readTime(speed: Speed): number {
  return { off: 0, fast: 120, normal: 380, slow: 800 }[speed];
}

/** Boards so many times wider than high stand upright on a screen that does. */
const WIDE = 1.8;
const uprightScreen = new MediaQuery("max-aspect-ratio: 1/1");

/** The quarter turns that show a board from a player's own side, where that is wished, and as large as the screen allows. */
export function sideOf(scene: Scene, player: string | undefined): number {
  const [, , width, height] = scene.view_box;
  if (uprightScreen.current && width > WIDE * height) return 3;
  return settings.ownSide ? (scene.players.find((one) => one.player === player)?.turn ?? 0) : 0;
}
