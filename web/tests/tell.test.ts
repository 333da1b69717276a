import { afterEach, describe, expect, it, vi } from "vitest";
import type { Event, Scene } from "../src/board/scene";
import { settings } from "../src/state/settings.svelte";
import { rollName, tellStep, tokenName, type Teller, type Told } from "../src/words/tell";

// the settings ask the browser when they are read
vi.hoisted(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
  vi.stubGlobal("navigator", { languages: ["en"] });
});

const scene = (tokens: Record<string, string>): Scene => ({ tokens }) as Scene;
const before = settings.lang;
afterEach(() => (settings.lang = before));

describe("what is rolled, thrown or drawn, on buttons", () => {
  it.each([
    ["3", "3"],
    ["6,1", "6, 1"],
    ["card:seven", "un sept"],
    ["card:back", "back"],
    ["cowries:3", "3 ouverts"],
    ["sticks:2", "2 à plat"],
    ["spinner:4", "4"],
  ])("%s in French", (roll, words) => {
    settings.lang = "fr";
    expect(rollName(roll, scene({}))).toBe(words);
  });

  it("is called as in Yut where five can be thrown", () => {
    settings.lang = "fr";
    expect(rollName("sticks:2", scene({ "die:5": "" }))).toBe("gae, deux bâtons à plat");
  });

  it.each([
    [5, "5", "5"],
    [-4, "-4", "-4"],
    ["ace", "an ace", "un as"],
    ["swap", "a swap", "un échange"],
    ["out", "a way out", "une sortie"],
    ["b20", "a bonus of 20", "20 de plus"],
    ["split4", "4 of the rest", "4 pour finir le coup"],
    ["other+5", "+5 for an opponent's piece", "+5 pour un pion adverse"],
  ])("%s as a token", (token, english, french) => {
    settings.lang = "en";
    expect(tokenName(token)).toBe(english);
    settings.lang = "fr";
    expect(tokenName(token)).toBe(french);
  });
});

describe("what a move wins", () => {
  const teller: Teller = { scene: scene({}), places: new Map(), name: () => "Mia", isYou: () => false };
  const bonus = (name: string): Event => ({ what: "bonus", player: "green", piece: null, origin: null, target: null, number: null, name });

  it.each([
    ["b20", "Mia wins 20 steps more", "Mia gagne 20 cases de plus"],
    ["10", "Mia wins 10 steps more", "Mia gagne 10 cases de plus"],
    ["out", "Mia wins a way out", "Mia gagne une sortie"],
    ["finish", "Mia wins a way home", "Mia gagne une arrivée"],
  ])("%s", (token, english, french) => {
    const step = { kind: "move", by: "green", text: "1+2", words: "", events: [bonus(token)] };
    settings.lang = "en";
    expect(tellStep(step, teller)).toBe(english);
    settings.lang = "fr";
    expect(tellStep(step, teller)).toBe(french);
  });
});

describe("what a move captures", () => {
  const teller: Teller = { scene: scene({}), places: new Map(), name: (player) => (player === "green" ? "Mia" : "Tom"), isYou: () => false };
  const capture = (player: string): Event => ({ what: "captured", player, piece: `${player}-0`, origin: "3", target: null, number: null, name: null });

  it.each([
    ["blue", "Mia captures Tom", "Mia capture Tom"],
    ["green", "Mia captures a piece of their own", "Mia capture un de ses propres pions"],
  ])("a piece of %s", (player, english, french) => {
    const step = { kind: "move", by: "green", text: "red:1+2", words: "", events: [capture(player)] };
    settings.lang = "en";
    expect(tellStep(step, teller)).toBe(english);
    settings.lang = "fr";
    expect(tellStep(step, teller)).toBe(french);
  });
});

describe("cards that go", () => {
  const teller: Teller = { scene: scene({}), places: new Map(), name: () => "Mia", isYou: (player) => player === "green" };
  const going = (kind: string, player: string): Told => ({
    kind: "move", by: player, text: "", words: "Blue gives a card",
    move: { move: "", kind, text: "", player, pieces: [], origin: null, path: [], target: null, captures: [], converts: [], finishes: false, jumps: false, card: "ace" },
  }); // prettier-ignore

  it.each([
    ["give", "green", "You give an ace", "Vous donnez un as"],
    ["discard", "blue", "Mia throws an ace away", "Mia écarte un as"],
  ])("%s of %s", (kind, player, english, french) => {
    settings.lang = "en";
    expect(tellStep(going(kind, player), teller)).toBe(english);
    settings.lang = "fr";
    expect(tellStep(going(kind, player), teller)).toBe(french);
  });
});
