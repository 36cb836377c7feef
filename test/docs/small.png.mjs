// A picture of a page with 256 colours, which is all that text and boxes need: a third of the bytes.
import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostColours = 256;

/**
 * @param {import('playwright-core').Browser} browser reads the picture
 * @param {Buffer} png
 */
export async function smallPng(browser, png) {
  const { width, height, pixels } = await pixelsOf(browser, png);
  const { palette, indexOf } = paletteOf(pixels);
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      lines[y * (width + 1) + x + 1] = indexOf(pixels.readUIntBE((y * width + x) * 4, 3));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, each the number of a colour.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

async function pixelsOf(browser, png) {
  const page = await browser.newPage();
  try {
    const { width, height, data } = await page.evaluate(
      async (source) => {
        const { Image, OffscreenCanvas } = globalThis;
        const picture = new Image();
        picture.src = source;
        await picture.decode();
        const canvas = new OffscreenCanvas(picture.width, picture.height);
        const drawing = canvas.getContext('2d');
        drawing.drawImage(picture, 0, 0);
        const { data } = drawing.getImageData(0, 0, picture.width, picture.height);
        return { width: picture.width, height: picture.height, data: new Uint8Array(data).toBase64() };
      },
      `data:image/png;base64,${png.toString('base64')}`,
    );
    return { width, height, pixels: Buffer.from(data, 'base64') };
  } finally {
    await page.close();
  }
}

/** The colours that stand there most often; every other one becomes the nearest of them. */
function paletteOf(pixels) {
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const colours = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  const kept = colours.slice(0, mostColours);
  const indexes = new Map(colours.map((colour) => [colour, nearest(colour, kept)]));
  const palette = Buffer.alloc(kept.length * 3);
  for (const [index, colour] of kept.entries()) palette.writeUIntBE(colour, index * 3, 3);
  return { palette, indexOf: (colour) => indexes.get(colour) };
}

function nearest(colour, among) {
  const distances = among.map((other) => distance(colour, other));
  return distances.indexOf(Math.min(...distances));
}

function distance(a, b) {
  const parts = [16, 8, 0].map((bits) => ((a >> bits) & 255) - ((b >> bits) & 255));
  return parts.reduce((sum, part) => sum + part * part, 0);
}

function chunk(type, bytes) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), bytes]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(bytes.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
