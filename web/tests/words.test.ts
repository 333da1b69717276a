import { describe, expect, it } from "vitest";
import { en } from "../src/words/en";
import { fr } from "../src/words/fr";

const blanks = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe("the French words", () => {
  it.each(Object.keys(en) as (keyof typeof en)[])("have the same blanks to fill: %s", (key) => {
    expect(blanks(fr[key])).toEqual(blanks(en[key]));
    expect(fr[key].trim()).not.toBe("");
  });
});
