import { useQuery } from '@tanstack/react-query';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { type ComponentProps, useEffect, useRef } from 'react';
import { relationQuery } from '../api/queries.ts';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { nameOf, type RelationPoint } from './groups.ts';
import { sizes } from './layout.ts';
import { columnKey, useNodeFocus, usePicture } from './picture-context.ts';

export type RelationNodeType = Node<
  {
    readonly point: RelationPoint;
    readonly mark?: string;
    /** Whether it is too small for anything in it to be read, and has no its own lines. */
    readonly isPlain: boolean;
  },
  'relation'
>;

/** A relation of the picture, with the columns that the question touches. */
export function RelationNode({ data: { point, mark, isPlain } }: NodeProps<RelationNodeType>) {
  const { root, nodeFocus, withColumns, path } = usePicture();
  const { id, relation, row } = point;
  const { isActive } = useNodeFocus(id);
  const isRoot = relation === root;
  return (
    <div
      className="relation"
      data-root={isRoot}
      data-side={row?.direction}
      data-stale={row?.status === 'stale'}
      data-active={isActive}
      data-mark={mark}
      data-dimmed={path !== null && !path.has(id)}
      data-plain={isPlain}
    >
      {!isPlain && <Handle type="target" position={Position.Left} isConnectable={false} style={besideName} />}
      <NodeButton
        id={id}
        data-note={mark ?? (row && !plainKinds.includes(row.kind) ? row.kind : undefined)}
        aria-label={describe(point, isRoot, mark)}
        onClick={() => nodeFocus.activate(id)}
      >
        {!isPlain && <Name relation={relation} />}
      </NodeButton>
      {withColumns && !isPlain && <Columns point={point} />}
      {!isPlain && <Handle type="source" position={Position.Right} isConnectable={false} style={besideName} />}
      {isActive && root !== '' && <NodeTools relation={relation} isRoot={isRoot} />}
    </div>
  );
}

const besideName = { top: sizes.head / 2 };

const Name = ({ relation }: { readonly relation: string }) => (
  <>
    <span className="relation-schema">{relation.slice(0, -nameOf(relation).length)}</span>
    <span className="relation-table">{nameOf(relation)}</span>
  </>
);

/** What goes without saying. */
const plainKinds = ['table', 'relation'];

const Columns = ({ point: { relation, columns } }: { readonly point: RelationPoint }) =>
  columns.length > 0 && (
    <ul className="relation-columns" aria-label={texts.lineage.columnsTitle}>
      {columns.map((column) => (
        <Column key={column} relation={relation} column={column} />
      ))}
    </ul>
  );

/** A column, whose way through the picture is highlighted while it is pointed at or has the focus. */
function Column({ relation, column }: { readonly relation: string; readonly column: string }) {
  const { address, highlight, highlightedColumns, root, nodeFocus } = usePicture();
  const key = columnKey(relation, column);
  return (
    <li
      data-highlighted={highlightedColumns.has(key)}
      data-asked={relation === root && address.column.includes(column)}
    >
      <Handle type="target" id={`in ${column}`} position={Position.Left} isConnectable={false} />
      <button
        type="button"
        className="relation-column nodrag"
        title={column}
        onMouseEnter={() => highlight(key)}
        onMouseLeave={() => highlight(null)}
        onFocus={() => {
          nodeFocus.activate(relation);
          highlight(key);
        }}
        onBlur={() => highlight(null)}
      >
        {column}
      </button>
      <Handle type="source" id={`out ${column}`} position={Position.Right} isConnectable={false} />
    </li>
  );
}

function describe({ relation, row, columns }: RelationPoint, isRoot: boolean, mark?: string): string {
  return [
    relation,
    row?.kind,
    isRoot ? texts.lineage.root : row && texts.lineage.steps(row.depth, row.direction),
    row?.status === 'stale' && texts.lineage.statuses.stale.toLowerCase(),
    !isRoot && columns.length > 0 && texts.lineage.affected(columns.length),
    mark,
  ]
    .filter(Boolean)
    .join(', ');
}

type NodeButtonProps = ComponentProps<'button'> & {
  /** Of the relation or group. */
  readonly id: string;
};

/** The name of a part of the picture: it takes the focus where an arrow key leads here, and passes the next one on. */
export function NodeButton({ id, ...button }: NodeButtonProps) {
  const { nodeFocus, move } = usePicture();
  const { isFocused } = useNodeFocus(id);
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFocused) element.current?.focus({ preventScroll: true });
  }, [isFocused]);
  return (
    <button
      ref={element}
      type="button"
      className="relation-name nodrag"
      onFocus={() => nodeFocus.activate(id)}
      onKeyDown={(event) => {
        if (!event.key.startsWith('Arrow')) return;
        event.preventDefault();
        move(id, event.key);
      }}
      {...button}
    />
  );
}

/** What can be done with the active relation. */
function NodeTools({ relation, isRoot }: { readonly relation: string; readonly isRoot: boolean }) {
  const { address, change, connectorOf } = usePicture();
  const { up, down, hide } = address;
  const hidden = useHidden(relation);
  return (
    <div className="relation-tools nodrag" role="toolbar" aria-label={relation.split('.').at(-1)}>
      <button type="button" disabled={up.includes(relation)} onClick={() => change({ up: [...up, relation] })}>
        <span aria-hidden="true">← </span>
        {texts.lineage.expandUpstream}
        <NotShown count={hidden.upstream} />
      </button>
      <button type="button" disabled={down.includes(relation)} onClick={() => change({ down: [...down, relation] })}>
        {texts.lineage.expandDownstream}
        <NotShown count={hidden.downstream} />
        <span aria-hidden="true"> →</span>
      </button>
      <button type="button" disabled={isRoot} onClick={() => change({ hide: [...hide, relation] })}>
        {texts.lineage.hide}
      </button>
      {!isRoot && (
        <button
          type="button"
          onClick={() =>
            change({
              ...{ connector: connectorOf(relation), relation, column: [], up: [], down: [] },
              ...{ hide: [], open: [], edge: null, to: null },
            })
          }
        >
          {texts.lineage.focus}
        </button>
      )}
    </div>
  );
}

/** How many neighbours stand beyond the picture; said beside the name of the button, which stays the same. */
const NotShown = ({ count }: { readonly count: number }) =>
  count > 0 && (
    <span className="not-shown" aria-hidden="true" title={texts.lineage.notShown(count)}>
      {count.toLocaleString()}
    </span>
  );

/** As of now: of a past time the service counts no neighbours. */
function useHidden(relation: string): { readonly upstream: number; readonly downstream: number } {
  const workspace = useWorkspace();
  const { address, neighbours, connectorOf } = usePicture();
  const { data } = useQuery({
    ...relationQuery(workspace?.id ?? '', connectorOf(relation), relation),
    enabled: address.as_of === null,
    retry: false,
  });
  if (data === undefined || address.as_of !== null) return { upstream: 0, downstream: 0 };
  const shown = neighbours.get(relation) ?? { upstream: 0, downstream: 0 };
  return {
    upstream: Math.max(0, data.upstream_count - shown.upstream),
    downstream: Math.max(0, data.downstream_count - shown.downstream),
  };
}
