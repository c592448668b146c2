import { childOf, type Syntax } from '../syntax.ts';
import { limited } from './print-clauses.ts';
import { printValue, saidFields } from './print-expression.ts';
import {
  type Clause,
  listedRelation,
  openRelation,
  type PrintedRelation,
  type Printing,
  type PrintScope,
  wholePrint,
} from './prints.ts';

const operands: readonly string[] = [
  'left',
  'right',
  'all',
  'distinct',
  'with',
  'limit',
  'offset',
  'fetch',
  'order_by',
];

/** Prints UNION, INTERSECT or EXCEPT. Only of UNION ALL the rows are those of the branches, whatever their columns are. */
export function printSetOperation(printing: Printing, node: Syntax, around: PrintScope, path: string): PrintedRelation {
  const { print } = printing;
  const { kind, fields } = node;
  const isAll = fields['all'] === true;
  const queries = branchesOf(node);
  const all = queries.map((query, place) => printing.query(printing, query, around, `${path}/branch ${place}`));
  const changes = Object.fromEntries(
    Object.entries(saidFields(fields, operands)).filter(([, value]) => value !== false),
  );
  const flags = print(
    'set operation',
    kind,
    isAll ? 'all' : 'distinct',
    printValue({ ...printing, blocks: null }, changes, around),
  );
  if (printing.blocks) printing.blocks.push({ path, clauses: ownClauses(printing, flags, node, queries) });
  const isCommutative = kind === 'union' && Object.keys(changes).length === 0;
  const byContent = (a: PrintedRelation, b: PrintedRelation) => (wholePrint(print, a) < wholePrint(print, b) ? -1 : 1);
  const branches = printing.ordersBranches && isCommutative ? all.toSorted(byContent) : all;
  const wholes = branches.map((one) => wholePrint(print, one));
  const isByRows = kind === 'union' && isAll;
  const rows = print(flags, ...(isByRows ? branches.map((one) => one.rows) : wholes));
  const [first] = all;
  const isByPlace =
    Object.keys(changes).length === 0 &&
    all.every((one) => one.isListed && one.columns.length === first?.columns.length);
  const relation =
    first && isByPlace
      ? listedRelation(
          rows,
          first.columns.map(({ name }, place) => ({
            name,
            print: print('of branches', ...branches.map((one) => one.columns[place]?.print ?? null)),
            node: null,
          })),
        )
      : { ...openRelation(print, print('of branches', rows, ...wholes)), rows };
  const found = isByPlace ? relation : { ...relation, column: (name: string) => print('of branches', name, ...wholes) };
  return limited(printing, found, fields, around, path);
}

/** The branches of a chain of UNION ALL at once; of other operations the two. */
function branchesOf({ kind, fields }: Syntax): readonly Syntax[] {
  const [left, right] = [childOf(fields, 'left'), childOf(fields, 'right')];
  const isChained = kind === 'union' && fields['all'] === true && left?.kind === 'union' && isPlainUnionAll(left);
  const first = left === null ? [] : isChained ? branchesOf(left) : [left];
  return right === null ? first : [...first, right];
}

const isPlainUnionAll = ({ fields }: Syntax): boolean =>
  fields['all'] === true &&
  Object.entries(saidFields(fields, ['left', 'right', 'all'])).every(([, value]) => value === false);

function ownClauses(printing: Printing, flags: string, { kind, fields }: Syntax, queries: readonly Syntax[]): Clause[] {
  const words = `${kind}${fields['all'] === true ? ' all' : ''}`;
  return [
    { kind: 'grouping', key: 'set operation', column: null, print: flags, text: [words] },
    {
      kind: 'source',
      key: 'branches',
      column: null,
      print: printing.print(String(queries.length)),
      text: [`${queries.length} branches of ${words}`],
    },
  ];
}
