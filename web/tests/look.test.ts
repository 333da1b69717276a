import css from "../src/look.css?raw";
import { describe, expect, it } from "vitest";


/** The colours of a look: those of :root, and those that the dark one changes. */
function colours(dark: boolean): Map<string, string> {
  const found = new Map<string, string>();
  const blocks = [/:root \{([^}]*)\}/, ...(dark ? [/:root\[data-theme="dark"\] \{([^}]*)\}/] : [])];
  for (const block of blocks) {
    for (const [, name, value] of (block.exec(css)?.[1] ?? "").matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)) found.set(name ?? "", value ?? "");
  }
  return found;
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe.each([
  ["light", false],
  ["dark", true],
])("the %s look", (_, dark) => {
  const all = colours(dark);

  it.each([
    ["ink", "paper"],
    ["ink", "card"],
    ["ink", "sunk"],
    ["faint", "paper"],
    ["faint", "card"],
    ["faint", "sunk"],
    ["accent", "card"],
    ["accent-ink", "accent"],
    ["alarm", "card"],
  ])("has %s on %s that can be read (WCAG AA)", (ink, ground) => {
    expect(contrast(all.get(ink) ?? "", all.get(ground) ?? "")).toBeGreaterThanOrEqual(4.5);
  });
});
