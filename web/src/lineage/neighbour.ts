import type { Place, Places } from './places.ts';

const ways: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const middleOf = ({ x, y, width, height }: Place) => ({ x: x + width / 2, y: y + height / 2 });

/** What stands nearest in the way of an arrow key; null where nothing does. */
export function neighbour(places: Places, from: string, key: string): string | null {
  const place = places.get(from);
  const [dx, dy] = ways[key] ?? [0, 0];
  if (place === undefined) return null;
  const start = middleOf(place);
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [id, other] of places) {
    const { x, y } = middleOf(other);
    const ahead = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    // What is aside counts more than what is far: an arrow follows its row or column.
    const distance = ahead + 2 * aside;
    if (id !== from && ahead > 1 && distance < least) [nearest, least] = [id, distance];
  }
  return nearest;
}
