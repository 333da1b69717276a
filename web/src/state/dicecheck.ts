/** Draws every roll of a record again from its secret: docs/fair-dice.md, in this browser and without the server. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";

interface Line {
  chance?: string;
  odds?: [string, number][];
  dice?: { commitment: string; secret?: string; entropies: [number, string, string][] };
}

export interface Verdict {
  rolls: number;
  /** The first roll that is not what the dice gave; 0 where all are. */
  wrong: number;
  /** Whether the secret is the one that was committed to. */
  kept: boolean;
}

const WORDS = 1n << 64n;
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** null where a record has no fair dice, or does not tell its secret yet. */
export function checkDice(record: string, commitment?: string): Verdict | null {
  const lines = record.split("\n").filter(Boolean).map((line) => JSON.parse(line) as Line);
  const dice = lines[0]?.dice;
  if (!dice?.secret) return null;
  const secret = bytesOf(dice.secret);
  const kept = hexOf(sha256(secret)) === dice.commitment && (commitment ?? dice.commitment) === dice.commitment;
  let [rolls, wrong] = [0, 0];
  let odds: [string, number][] = [];
  for (const line of lines) {
    if (line.chance === undefined) continue;
    rolls += 1;
    odds = line.odds ?? odds;
    const words = dice.entropies.filter(([after]) => after < rolls).map(([, player, word]) => `${player}:${word}`);
    if (drawn(secret, words, rolls, odds) !== line.chance) wrong ||= rolls;
  }
  return { rolls, wrong, kept };
}

function drawn(secret: Uint8Array, words: string[], number: number, odds: [string, number][]): string | undefined {
  const total = BigInt(odds.reduce((sum, [, weight]) => sum + weight, 0));
  for (let attempt = 0; total > 0n; attempt += 1) {
    const text = new TextEncoder().encode(["ludus dice 1", number, attempt, ...words].join("\n"));
    const x = BigInt(`0x${hexOf(hmac(sha256, secret, text).subarray(0, 8))}`);
    if (x < WORDS - (WORDS % total)) return pick(odds, x % total);
  }
  return undefined;
}

function pick(odds: [string, number][], point: bigint): string | undefined {
  for (const [outcome, weight] of odds) {
    point -= BigInt(weight);
    if (point < 0n) return outcome;
  }
  return undefined;
}
