import { describe, expect, it, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://table", pathname: "/", search: "" });
const { fromLink, headOf, linkOf, nameOf, writeToml } = await import("../src/state/toml");

describe("rules as text", () => {
  it("lists what is different by group, and nothing that is nothing", () => {
    const text = writeToml({ title: 'Oma\'s "Ludo"', base: "classic", changes: { "capture.duty": true, "turn.again_on": ["six"], "board.path": null } });
    expect(text).toBe('name = "oma-s-ludo"\ntitle = "Oma\'s \\"Ludo\\""\nextends = "classic"\n\n[capture]\nduty = true\n\n[turn]\nagain_on = ["six"]\n');
    expect(headOf(text)).toEqual({ title: 'Oma\'s "Ludo"', base: "classic" });
  });

  it("has names that begin with a letter", () => {
    expect(nameOf("3 Brüder!")).toBe("bruder");
    expect(nameOf("…")).toBe("ours");
  });

  it("goes into a link and comes out of it, whatever letters it has", () => {
    const text = 'title = "Été à l’île ♟"\n';
    expect(fromLink(new URL(linkOf(text)).hash)).toBe(text);
  });

  it.each(["", "#d=", "#d=%%", "#d=a", `#d=${"a".repeat(30_000)}`, "#d=____"])("is not in a damaged link: %s", (hash) => {
    expect(fromLink(hash)).toBeNull();
  });
});
