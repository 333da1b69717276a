import { describe, expect, it, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://table", pathname: "/", search: "" });
const { changeToml, fromLink, headOf, linkOf, nameOf, writeToml } = await import("../src/state/toml");

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

  const WRITTEN = `# Grandmother's
title = "Ours" # a name
extends = "classic"

[turn] # who rolls
# a six is a six
again_on = ["six", "capture"] # and no more "#"

[capture]
duty = true
`;

  it.each([
    ["turn.again_on", ["six"], ['again_on = ["six"] # and no more "#"', "# a six is a six"]],
    ["capture.duty", false, ["duty = false", "# Grandmother's"]],
    ["turn.attempts", 3, ["attempts = 3\n\n[capture]"]],
    ["board.pieces", 2, ["duty = true\n\n[board]\npieces = 2\n"]],
    ["title", 'Oma\'s "new"', ['title = "Oma\'s \\"new\\"" # a name']],
  ])("changes %s and keeps every comment", (option, value, parts) => {
    const text = changeToml(WRITTEN, option, value) ?? "";
    for (const part of parts) expect(text).toContain(part);
    expect(text.match(/#/g)?.length).toBe(WRITTEN.match(/#/g)?.length);
  });

  it("takes an option out, with its comment, and nothing else", () => {
    expect(changeToml(WRITTEN, "capture.duty", null)).toBe(WRITTEN.replace("duty = true\n", ""));
    expect(changeToml(WRITTEN, "board.pieces", null)).toBe(WRITTEN);
  });

  it("knows dotted names, and leaves alone what goes over several lines", () => {
    expect(changeToml('extends = "star"\ncapture.duty = true # must\n', "capture.duty", false)).toBe('extends = "star"\ncapture.duty = false # must\n');
    expect(changeToml("[turn]\nagain_on = [\n  \"six\",\n]\n", "turn.again_on", ["capture"])).toBeNull();
    expect(changeToml('capture = { duty = true }\n', "capture.duty", false)).toBeNull();
  });
});
