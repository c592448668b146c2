import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(path.resolve(import.meta.dirname, '..', '..', 'web', 'src', 'styles', 'tokens.css'), 'utf8');
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name = '', light = '', dark = '']) => [
    name,
    { light, dark },
  ]),
);

type Color = readonly [number, number, number];
type Matrix = readonly [Color, Color, Color];

const linear = (hex: string): Color => {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return [red ?? 0, green ?? 0, blue ?? 0];
};

const times = (matrix: Matrix, [x, y, z]: Color): Color => {
  const [a, b, c] = matrix.map((row) => row[0] * x + row[1] * y + row[2] * z);
  return [a ?? 0, b ?? 0, c ?? 0];
};

/** Deuteranopia after Machado, Oliveira and Fernandes (2009), severity 1, on linear sRGB. */
const deuteranopia: Matrix = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
];
/** Linear sRGB to cones and from there to OKLab (Ottosson 2020). */
const cones: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const oklab: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

function seen(hex: string): Color {
  const [red, green, blue] = times(deuteranopia, linear(hex));
  const shown: Color = [clamp(red), clamp(green), clamp(blue)];
  const [long, middle, short] = times(cones, shown);
  return times(oklab, [Math.cbrt(long), Math.cbrt(middle), Math.cbrt(short)]);
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const distance = (one: Color, other: Color): number => Math.hypot(...one.map((value, at) => value - (other[at] ?? 0)));

/** In OKLab 0.02 is just noticeable for patches that touch; thin lines apart need some times that. */
const least = 0.07;

describe.each(['light', 'dark'] as const)('the colors of the %s theme in deuteranopia', (theme) => {
  it.each([
    ['marks of changes', ['added', 'changed', 'removed', 'edge']],
    ['lines of columns', ['edge', 'flow', 'derived', 'accent']],
  ] as const)('keep %s apart', (_, names) => {
    const colors = names.map((name) => ({ name, color: seen(tokens.get(name)?.[theme] ?? '') }));
    const close = colors.flatMap((one, index) =>
      colors.slice(index + 1).flatMap((other) => {
        const apart = distance(one.color, other.color);
        return apart >= least ? [] : [`${one.name} and ${other.name}: ${apart.toFixed(3)}`];
      }),
    );
    expect(close).toEqual([]);
  });
});
