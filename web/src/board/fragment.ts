/**
 * Puts an SVG fragment of the server's into the page, shape by shape: only the shapes and attributes listed here
 * are made, so that no text of a game or a player can ever become a script, a link or a style.
 */
const SHAPES = new Set(["g", "rect", "circle", "ellipse", "path", "polygon", "polyline", "line", "text", "tspan", "title"]);
const ATTRIBUTES = new Set([
  "x", "y", "dx", "dy", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2", "d", "points", "width", "height", "transform",
  "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
  "stroke-opacity", "opacity", "paint-order", "font-size", "font-weight", "font-family", "text-anchor", "class",
]); // prettier-ignore
const SVG = "http://www.w3.org/2000/svg";

function isAllowed(name: string, value: string): boolean {
  return (ATTRIBUTES.has(name) || name.startsWith("data-")) && !/url\s*\(/i.test(value);
}

function copy(from: Element, into: Element): void {
  for (const node of from.childNodes) {
    if (node instanceof Text) into.append(node.data);
    if (!(node instanceof Element) || !SHAPES.has(node.localName)) continue;
    const made = document.createElementNS(SVG, node.localName);
    for (const { name, value } of node.attributes) if (isAllowed(name, value)) made.setAttribute(name, value);
    copy(node, made);
    into.append(made);
  }
}

const parsed = new Map<string, DocumentFragment>();
const MOST_PARSED = 200;

function shapesOf(source: string): DocumentFragment {
  const known = parsed.get(source);
  if (known) return known;
  const tree = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${source}</svg>`, "image/svg+xml");
  const group = document.createElementNS(SVG, "g");
  copy(tree.documentElement, group);
  const shapes = document.createDocumentFragment();
  shapes.append(...group.childNodes);
  if (parsed.size >= MOST_PARSED) parsed.clear();
  parsed.set(source, shapes);
  return shapes;
}

/** What is read, or has an upper side, stays upright when the board is turned. */
const UPRIGHT = "text, ellipse, .glyph, .general, .finish > :nth-child(2)";

function stand(shape: SVGGraphicsElement, degrees: number): void {
  const box = shape.getBBox();
  const own = shape.getAttribute("transform") ?? "";
  shape.setAttribute("transform", `rotate(${-degrees} ${box.x + box.width / 2} ${box.y + box.height / 2}) ${own}`);
}

/** Attachment: `<g {@attach fragment(source)}></g>`; on a board that is turned by so many degrees. */
export function fragment(source: string, degrees = 0): (target: SVGElement) => void {
  return (target) => {
    target.replaceChildren(shapesOf(source).cloneNode(true));
    if (degrees) for (const shape of target.querySelectorAll<SVGGraphicsElement>(UPRIGHT)) stand(shape, degrees);
  };
}
