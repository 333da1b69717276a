import { describe, expect, it } from "vitest";
import { showOf } from "../src/board/animate";
import { arrowOf, canPick, lyingIn, movesOf, movesWith, piled, reachOf, turnedBox, turnedPoint, wayOf, type Move, type Piece, type Place } from "../src/board/scene";

function piece(id: string, place: string, x = 0, y = 0, marks: string[] = []): Piece {
  return { id, player: id.split("-")[0] ?? "", place, x, y, r: 0.4, offset: [0, 0], token: "green", marks };
}

function move(text: string, facts: Partial<Move>): Move {
  const base = { kind: "move", text, player: "green", pieces: [], origin: null, path: [], target: null };
  return { ...base, move: text, captures: [], converts: [], finishes: false, jumps: false, ...facts };
}

function place(id: string, x: number, y: number): [string, Place] {
  return [id, { id, kind: "path", roles: [], colour: null, x, y, size: 1, outline: [], label: id }];
}

describe("which moves a piece can begin", () => {
  const out = move("12+5", { pieces: ["green-0"], origin: "12" });

  it("counts for every piece of the player on that place", () => {
    expect(movesOf(piece("green-0", "12"), [out])).toEqual([out]);
    expect(movesOf(piece("green-1", "12"), [out])).toEqual([out]);
  });

  it("does not count for frozen pieces, other places and other players", () => {
    expect(movesOf(piece("green-1", "12", 0, 0, ["frozen"]), [out])).toEqual([]);
    expect(movesOf(piece("green-1", "13"), [out])).toEqual([]);
    expect(movesOf(piece("blue-1", "12"), [out])).toEqual([]);
  });
});

describe("picking dice", () => {
  const six = move("12+6", { dice: ["die:6"] });
  const both = move("12+6+5", { dice: ["die:6", "die:5"] });

  it("leaves the moves that use exactly these dice, in any order", () => {
    expect(movesWith([], [six, both])).toEqual([six, both]);
    expect(movesWith(["die:6"], [six, both])).toEqual([six]);
    expect(movesWith(["die:5", "die:6"], [six, both])).toEqual([both]);
  });

  it("knows which dice go together", () => {
    expect(canPick(["die:6", "die:5"], [six, both])).toBe(true);
    expect(canPick(["die:6", "die:6"], [six, both])).toBe(false);
  });
});

describe("pieces on their way", () => {
  const places = new Map([place("1", 1, 0), place("2", 2, 0), place("3", 3, 0)]);
  const going = move("1+2", { pieces: ["green-0"], origin: "1", path: ["2", "3"], target: "3" });

  it("pass over every place to where they will stand", () => {
    const way = wayOf(piece("green-0", "1", 1, 0), piece("green-0", "3", 3.2, 0.1), going, places);
    expect(way).toEqual([[1, 0], [2, 0], [3.2, 0.1]]);
  });

  it("send a captured piece off only when the mover is there", () => {
    const before = [piece("green-0", "1", 1, 0), piece("blue-0", "3", 3, 0)];
    const after = [piece("green-0", "3", 3, 0), piece("blue-0", "blue/start", 9, 9)];
    const { rides, beats } = showOf(before, after, going, [], places, 100);
    expect(rides[0]).toMatchObject({ piece: "green-0", delay: 0, hop: 100, way: [[1, 0], [2, 0], [3, 0]] });
    expect(rides[1]).toMatchObject({ piece: "blue-0", delay: 200 });
    expect(beats.map((beat) => beat.what)).toEqual(["step", "step", "capture"]);
  });

  it("send it off on the way where the mover goes on", () => {
    const before = [piece("green-0", "1", 1, 0), piece("blue-0", "2", 2, 0)];
    const after = [piece("green-0", "3", 3, 0), piece("blue-0", "blue/start", 9, 9)];
    const taken = { what: "captured", player: "blue", piece: "blue-0", origin: "2", target: "blue/start", number: null, name: null };
    expect(showOf(before, after, going, [taken], places, 100).rides[1]).toMatchObject({ piece: "blue-0", delay: 100 });
  });

  it("leave alone what did not move", () => {
    const still = [piece("red-0", "2", 2, 0)];
    expect(showOf(still, still, going, [], places, 100)).toEqual({ rides: [], beats: [] });
  });
});

describe("a board that is turned", () => {
  const box: [number, number, number, number] = [-1, -1, 10, 6];

  it("keeps its middle, and changes its sides with a quarter turn", () => {
    expect(turnedBox(box, 2)).toEqual(box);
    expect(turnedBox(box, 1)).toEqual([1, -3, 6, 10]);
    expect(turnedBox(box, 3)).toEqual(turnedBox(box, 1));
  });

  it("takes the left side to the top, the top to the right", () => {
    expect(turnedPoint([-1, 2], box, 1)).toEqual([4, -3]);
    expect(turnedPoint([4, -1], box, 1)).toEqual([7, 2]);
    expect(turnedPoint([-1, -1], box, 2)).toEqual([9, 5]);
    expect(turnedPoint([3, 1], box, 4)).toEqual([3, 1]);
  });
});

describe("where a piece takes clicks", () => {
  it("is half a tile around it, and no more than the piece where another is near", () => {
    const small = { ...piece("green-0", "1", 1, 1), r: 0.25 };
    const beside = { ...piece("blue-0", "1", 1.4, 1), r: 0.25 };
    const far = { ...piece("blue-1", "2", 2, 1), r: 0.25 };
    expect(reachOf(small, [small, far])).toBe(2);
    expect(reachOf(small, [small, beside, far])).toBe(1);
  });
});

describe("arrows", () => {
  const places = new Map([place("1", 1, 0), place("2", 2, 0), place("3", 2, 1)]);
  const onward = move("1+2", { pieces: ["green-0"], origin: "1", path: ["2", "3"], target: "3" });

  it("go from the piece over every place, and their head ends on the target", () => {
    const drawn = arrowOf([piece("green-0", "1", 1, 0)], onward, places, 0.5);
    expect(drawn?.line).toEqual([[1, 0], [2, 0], [2, 0.5]]);
    expect(drawn?.head[0]).toEqual([2, 1]);
  });

  it("begin at the origin where pieces have other names now", () => {
    expect(arrowOf([piece("green-0", "3", 2, 1)], onward, places, 0.5)?.line[0]).toEqual([1, 0]);
  });

  it("are not drawn for a move that stays where it is", () => {
    expect(arrowOf([], move("pass", {}), places)).toBeNull();
  });
});

describe("several on a tile", () => {
  const places = new Map([place("3", 3, 5)]);
  const two = [piece("green-0", "3", 2.8, 5.1), piece("blue-0", "3", 3.2, 5.1)];

  it.each([0, 1, 2, 3])("stand beside each other as one sees them, after %i quarter turns", (turns) => {
    const seen = piled(two, places, turns).map((one) => turnedPoint([one.x, one.y], [0, 0, 6, 10], turns));
    const [left, right] = seen as [[number, number], [number, number]];
    expect(right[0] - left[0]).toBeCloseTo(0.4);
    expect(right[1] - left[1]).toBeCloseTo(0);
  });
});

describe("what lies there in a game that began in the middle", () => {
  it("is what is still to be played, by whoever is in turn, and no hand of cards", () => {
    const view = { dice: ["die:two"], kept: [], turn: "green" };
    expect(lyingIn(view, null)).toEqual({ player: "green", text: "two", dice: ["die:two"], rolling: false });
    expect(lyingIn({ ...view, dice: [] }, null)).toBeNull();
    expect(lyingIn(view, { hands: true } as never)).toBeNull();
  });
});
