import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import type { Derivation } from '../../../shared/domain/lineage/graph/derivation.ts';
import { relationRefOf } from '../../../shared/domain/lineage/graph/node.ts';
import type { Connector } from '../../../shared/domain/lineage/names/connector.ts';
import type {
  CatalogContext,
  ColumnPorts,
  Declared,
} from '../../../shared/domain/lineage/sources/declared/declared.ts';
import { type DeclaredDocument, readDeclared } from '../../../shared/domain/lineage/sources/read-body.ts';
import { analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';

/** Columns by the real parser; nothing known from elsewhere. */
async function columnPorts(): Promise<ColumnPorts> {
  const parser = await loadSqlParser();
  return { analyse: (statement, options) => analyseSql(parser, statement, options) };
}

export const scopeOf = (connector: Connector, connectors: readonly Connector[] = [connector]): CatalogContext => ({
  connectors,
  connector,
  importSource: 'test',
});

export const declare = async (scope: CatalogContext, document: DeclaredDocument): Promise<Declared> =>
  readDeclared(scope, document).derive(await columnPorts());

/** `input -> output` of every claimed edge. */
export const tableEdges = ({ derivations }: Declared): string[] =>
  derivations
    .flatMap(({ inputs, output }) => inputs.map((input) => `${relationRefOf(input)} -> ${relationRefOf(output)}`))
    .sort();

/** `input.column -> column` of the values that reach the columns of a relation. */
export const valueEdges = (declared: Declared, ref: string): string[] => [
  ...new Set(
    derivationOf(declared, ref)
      .columns.filter(({ type }) => type === 'DIRECT')
      .map((one) => `${relationRefOf(one.input)}.${one.inputColumn} -> ${one.outputColumn}`),
  ),
];

export function derivationOf({ derivations }: Declared, ref: string): Derivation {
  const found = derivations.find(({ output }) => relationRefOf(output) === ref);
  if (!found) throw new Error(`nothing is derived for ${ref}`);
  return found;
}
