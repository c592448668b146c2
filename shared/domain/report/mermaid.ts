import { seen } from './unseen.ts';

/** A name as the label of a node of a Mermaid graph: what is no letter, digit or plain sign stands as its code. */
export const label = (name: string): string =>
  `"${seen(name).replace(/[^\p{L}\p{N}\p{M} ._/:-]/gu, (sign) => `#${sign.codePointAt(0)};`)}"`;
