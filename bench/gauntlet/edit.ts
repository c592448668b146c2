import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Change } from './changes.ts';

type Files = ReadonlyMap<string, string>;

/** The files of the project as it is before any change, by their paths in it. */
export function readProject(folder: string = path.join(import.meta.dirname, 'project')): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const names = files.map((one) => path.join(one.parentPath, one.name)).sort();
  return new Map(names.map((name) => [path.relative(folder, name), readFileSync(name, 'utf8')]));
}

/** The project's files with a change. Throws if a passage is not there, or not once: the change would be another one. */
export function edited(project: Files, { name, edits }: Change): Map<string, string> {
  const files = new Map(project);
  for (const edit of edits) {
    if ('remove' in edit) {
      if (!files.delete(edit.file)) throw new Error(`${name}: there is no ${edit.file}.`);
    } else if ('write' in edit) {
      files.set(edit.file, edit.write);
    } else {
      const [before, after, ...more] = (files.get(edit.file) ?? '').split(edit.find);
      if (before === undefined || after === undefined || more.length > 0)
        throw new Error(`${name}: ${edit.file} does not have the passage once.`);
      files.set(edit.file, `${before}${edit.put}${after}`);
    }
  }
  return files;
}

type Node = {
  readonly resource_type: string;
  readonly relation_name?: string | null | undefined;
  readonly compiled_code?: string | null | undefined;
  readonly checksum: { readonly checksum: string };
  readonly depends_on?: { readonly nodes?: readonly string[] | undefined } | undefined;
};
type Nodes = { readonly nodes: Readonly<Record<string, Node>> };

/** Relations whose own statement or seed differs between two manifests; those that one of them does not have, too. */
export function touchedRelations(before: Nodes, after: Nodes): string[] {
  const [was, is] = [statements(before), statements(after)];
  return [...new Set([...was.keys(), ...is.keys()])].filter((ref) => was.get(ref) !== is.get(ref));
}

/** What makes each relation, by its name. The code of a reader holds that of the ephemeral models that it reads. */
const statements = ({ nodes }: Nodes): Map<string, string> =>
  new Map(
    Object.values(nodes).flatMap(({ resource_type, relation_name, compiled_code, checksum }) =>
      relation_name && ['model', 'seed', 'snapshot'].includes(resource_type)
        ? [[nameOf(relation_name), compiled_code ?? checksum.checksum]]
        : [],
    ),
  );

/** What each relation of a manifest reads, by names; through ephemeral models it reads what they read. */
export function relationReads({ nodes }: Nodes): Record<string, string[]> {
  const readBy = (node: Node): string[] =>
    (node.depends_on?.nodes ?? []).flatMap((id) => {
      const read = nodes[id];
      // Sources are no nodes.
      if (!read) return [];
      return read.relation_name ? [nameOf(read.relation_name)] : readBy(read);
    });
  return Object.fromEntries(
    Object.values(nodes).flatMap((node) => (node.relation_name ? [[nameOf(node.relation_name), readBy(node)]] : [])),
  );
}

/** The relations of models that a selector of dbt names, in lower case. */
export function relationsSelected({ nodes }: SelectableNodes, selectors: readonly string[]): ReadonlySet<string> {
  const selected = new Set(selectors);
  return new Set(
    Object.values(nodes).flatMap(({ fqn = [], relation_name }) =>
      relation_name && selected.has(`fqn:${fqn.join('.')}`) ? nameOf(relation_name).toLowerCase() : [],
    ),
  );
}

type SelectableNodes = {
  readonly nodes: Readonly<Record<string, Pick<Node, 'relation_name'> & { readonly fqn?: readonly string[] }>>;
};

const nameOf = (relationName: string): string => relationName.replaceAll('"', '');
