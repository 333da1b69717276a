/** A few sounds made with WebAudio: nothing to load, and nothing at all where they are muted. */
import { settings } from "./settings.svelte";

export type Sound = "throw" | "land" | "step" | "capture" | "home" | "turn" | "win";

interface Tone {
  from: number;
  to?: number;
  at?: number;
  time: number;
  loud: number;
  shape?: OscillatorType;
}

const TONES: Record<Exclude<Sound, "throw">, Tone[]> = {
  land: [{ from: 210, to: 120, time: 0.07, loud: 0.25, shape: "triangle" }],
  step: [{ from: 520, to: 430, time: 0.05, loud: 0.1, shape: "sine" }],
  capture: [
    { from: 320, to: 70, time: 0.22, loud: 0.35, shape: "sawtooth" },
    { from: 150, to: 50, at: 0.05, time: 0.25, loud: 0.3, shape: "triangle" },
  ],
  home: [523, 659, 784].map((from, n) => ({ from, at: n * 0.09, time: 0.16, loud: 0.16, shape: "triangle" })),
  turn: [
    { from: 659, time: 0.1, loud: 0.12 },
    { from: 880, at: 0.09, time: 0.16, loud: 0.12 },
  ],
  win: [523, 659, 784, 1047].map((from, n) => ({ from, at: n * 0.13, time: 0.3, loud: 0.18, shape: "triangle" })),
};
/** Milliseconds that a phone shakes. */
const SHAKES: Partial<Record<Sound, number[]>> = { land: [12], capture: [40, 30, 60], home: [25, 40, 25], turn: [30] };

let context: AudioContext | null = null;

export function play(sound: Sound): void {
  if (settings.vibration && document.visibilityState === "visible") shake(SHAKES[sound]);
  if (!settings.sound) return;
  try {
    context ??= new AudioContext();
    // browsers let a page sound only after somebody has pressed something
    if (context.state === "suspended") void context.resume().catch(() => undefined);
    if (sound === "throw") rattle(context);
    else for (const tone of TONES[sound]) beep(context, tone);
  } catch {
    // a browser without sound plays in silence
  }
}

function shake(pattern: number[] | undefined): void {
  // without a press before it a browser refuses, and says so on its console
  if (pattern && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

function beep(audio: AudioContext, { from, to = from, at = 0, time, loud, shape = "sine" }: Tone): void {
  const begin = audio.currentTime + at;
  const tone = audio.createOscillator();
  const gain = audio.createGain();
  tone.type = shape;
  tone.frequency.setValueAtTime(from, begin);
  tone.frequency.exponentialRampToValueAtTime(to, begin + time);
  gain.gain.setValueAtTime(loud, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + time);
  tone.connect(gain).connect(audio.destination);
  tone.start(begin);
  tone.stop(begin + time);
}

/** Dice in a cup: short knocks, ever farther apart. */
function rattle(audio: AudioContext): void {
  for (const at of [0, 0.05, 0.11, 0.18, 0.27, 0.38]) {
    beep(audio, { from: 900 - 900 * at, to: 300, at, time: 0.03, loud: 0.09, shape: "square" });
  }
}
