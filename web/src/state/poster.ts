/** The end of a game as a picture to share, drawn on a canvas: names are text there, and can be nothing else. */
export interface Row {
  name: string;
  rank: number;
  fill: string;
  note: string;
}

const SIDE = 1080;
const DISPLAY = "Fredoka, system-ui, sans-serif";

export async function drawPodium(title: string, headline: string, rows: Row[]): Promise<Blob> {
  await document.fonts.load(`600 60px ${DISPLAY}`).catch(() => undefined);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  ground(pen, rows);
  write(pen, title, SIDE / 2, 120, 46, "#645e53");
  write(pen, headline, SIDE / 2, 210, 72, "#23262b");
  [rows[1], rows[0], rows[2]].forEach((row, at) => row && step(pen, row, 540 + (at - 1) * 270));
  rows.slice(0, 8).forEach((row, at) => line(pen, row, at, rows.length));
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}

function ground(pen: CanvasRenderingContext2D, rows: Row[]): void {
  pen.fillStyle = "#f7f2e8";
  pen.fillRect(0, 0, SIDE, SIDE);
  rows.forEach((row, at) => {
    pen.fillStyle = row.fill;
    pen.fillRect((SIDE / rows.length) * at, 0, SIDE / rows.length, 26);
    pen.fillRect((SIDE / rows.length) * at, SIDE - 26, SIDE / rows.length, 26);
  });
}

function write(pen: CanvasRenderingContext2D, words: string, x: number, y: number, size: number, ink: string, most = SIDE - 120): void {
  pen.font = `600 ${size}px ${DISPLAY}`;
  pen.fillStyle = ink;
  pen.textAlign = "center";
  pen.fillText(words, x, y, most);
}

function step(pen: CanvasRenderingContext2D, row: Row, x: number): void {
  const height = [0, 250, 180, 130][row.rank] ?? 100;
  const top = 720 - height;
  pen.fillStyle = row.fill;
  pen.fillRect(x - 120, top, 240, height);
  write(pen, String(row.rank), x, top + 80, 72, "#ffffff");
  write(pen, row.name, x, top - 150, 40, "#23262b", 250);
  pawn(pen, x, top - 12, row.fill);
}

function pawn(pen: CanvasRenderingContext2D, x: number, y: number, fill: string): void {
  pen.save();
  pen.translate(x, y - 42);
  pen.scale(48, 48);
  pen.fillStyle = fill;
  pen.strokeStyle = "rgb(0 0 0 / 45%)";
  pen.lineWidth = 0.08;
  for (const shape of ["M-0.78 0.62C-0.78 0.3 -0.34 0.16 -0.24 -0.42L0.24 -0.42C0.34 0.16 0.78 0.3 0.78 0.62C0.78 0.98 -0.78 0.98 -0.78 0.62Z"]) {
    pen.fill(new Path2D(shape));
    pen.stroke(new Path2D(shape));
  }
  pen.beginPath();
  pen.arc(0, -0.86, 0.47, 0, 7);
  pen.fill();
  pen.stroke();
  pen.restore();
}

function line(pen: CanvasRenderingContext2D, row: Row, at: number, count: number): void {
  const y = 790 + at * Math.min(58, 220 / count);
  pen.textAlign = "left";
  pen.font = `600 ${count > 4 ? 24 : 32}px ${DISPLAY}`;
  pen.fillStyle = "#23262b";
  pen.fillText(`${row.rank}.  ${row.name}`, 140, y, 440);
  pen.textAlign = "right";
  pen.fillStyle = "#645e53";
  pen.fillText(row.note, SIDE - 140, y, 380);
}
