import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const sources = globSync('{bin,lib,functions,shared,local,cli,scripts}/**/*.ts', { cwd: root }).filter(
  (path) => !path.includes('/generated/') && !path.includes('node_modules'),
);

const minting = 'shared/domain/lineage/graph/node.ts';

/** Casts that make an id of a graph, or pass one off as a workspace's. */
const abuses = [
  /\bas (unknown as )?GraphId\b/,
  /\b(graph|graphOf\([^)]*\)) as (unknown as )?WorkspaceId\b/,
  /\bworkspace(_id)?: (\w+\.)*graph\b/,
  /\.parse\((GraphId|WorkspaceId), *(\w+\.)*graph\b/,
];

const abusesIn = (path: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, i) => (abuses.some((abuse) => abuse.test(line)) ? [`${path}:${i + 1} ${line.trim()}`] : []));

it('makes ids of graphs in one place, and passes none off as the id of a workspace', () => {
  const found = sources.flatMap((path) => abusesIn(path, readFileSync(`${root}/${path}`, 'utf8')));
  expect(found.filter((one) => one.startsWith(`${minting}:`))).toHaveLength(1);
  // The stored text of a retired order names its graph `workspace`: it is packed and unpacked there.
  const stored = /\/scope-orders\.ts:\d+ .*pack(ed)?\(/;
  expect(found.filter((one) => !one.startsWith(`${minting}:`) && !stored.test(one))).toEqual([]);
});

it('finds each way to pass a graph off as a workspace', () => {
  for (const line of [
    'const graph = workspace as GraphId;',
    'const graph = workspace as unknown as GraphId;',
    'return graphOf(workspace, 2) as unknown as WorkspaceId;',
    'return project(ports, { ...delivery, workspace_id: graph }, payload);',
    'const place = { workspace: ports.graph, scope };',
    'v.parse(WorkspaceId, graph)',
  ])
    expect(abusesIn('planted.ts', line)).toHaveLength(1);
});
