import type { Finding } from './findings.ts';
import { label } from './mermaid.ts';

const maxEdges = 30;
const maxName = 200;

type Edge = { readonly from: string; readonly to: string; readonly isSure: boolean };

/**
 * What is changed and what that breaks, as lines of a Mermaid graph in Markdown: a few edges alone, the worst first. No line
 * where nothing breaks.
 * @param room in characters
 */
export function diffGraph(findings: readonly Finding[], room: number): readonly string[] {
  const edges = edgesOf(findings);
  for (let count = edges.length; count > 0; count = Math.floor(count / 2)) {
    const lines = ['', '```mermaid', ...linesOf(edges.slice(0, count)), '```'];
    if (lines.join('\n').length <= room) return lines;
  }
  return [];
}

function edgesOf(findings: readonly Finding[]): readonly Edge[] {
  const edges = new Map<string, Edge>();
  for (const { relation_ref: from, breaks } of findings)
    for (const { relation_ref: to, grade } of breaks) {
      const key = JSON.stringify([from, to]);
      if (from !== to && (edges.has(key) ? grade === 'breaking' : edges.size < maxEdges))
        edges.set(key, { from, to, isSure: grade === 'breaking' });
    }
  return [...edges.values()];
}

function linesOf(edges: readonly Edge[]): readonly string[] {
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const id = (name: string) => `n${names.indexOf(name)}`;
  return [
    'graph LR',
    ...names.map((name) => `  ${id(name)}[${label(name.slice(0, maxName))}]`),
    ...edges.map(({ from, to, isSure }) => `  ${id(from)} ${isSure ? '-- breaks -->' : '-. may break .->'} ${id(to)}`),
  ];
}
