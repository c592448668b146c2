import { useQuery } from '@tanstack/react-query';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { Ban, CircleAlert, Crosshair, EyeOff, Pencil, Plus, Trash2 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { type Layer, nameOf } from '../../../shared/contract/layers.ts';
import { relationQuery } from '../api/queries.ts';
import { Breakable, LayerIcon } from '../parts/layer.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { askedAbout } from './address.ts';
import { type RelationPoint, shownColumns } from './groups.ts';
import { sizes } from './layout.ts';
import { focusIn, NodeButton } from './node-button.tsx';
import { columnKey, useDimmed, useNodeFocus, usePicture } from './picture-context.ts';

export type RelationNodeType = Node<
  {
    readonly point: RelationPoint;
    readonly mark?: string;
    /** Whether it is too small for anything in it to be read. */
    readonly isPlain: boolean;
  },
  'relation'
>;

/** A relation of the picture, with the columns that the question touches. */
export function RelationNode({ data: { point, mark, isPlain } }: NodeProps<RelationNodeType>) {
  const { address, root, nodeFocus, withColumns, layerOf, connectorOf } = usePicture();
  const { id, relation, row } = point;
  const { isActive } = useNodeFocus(id);
  const isDimmed = useDimmed(id);
  const isRoot = relation === root;
  const layer = layerOf(relation, connectorOf(relation));
  return (
    <div
      className="relation"
      data-root={isRoot}
      data-stale={row?.status === 'stale'}
      data-active={isActive}
      data-selected={address.selected === relation}
      data-mark={mark}
      data-dimmed={isDimmed}
      data-plain={isPlain}
      data-layer={layer}
    >
      {!isPlain && <Handle type="target" position={Position.Left} isConnectable={false} style={besideName} />}
      <NodeButton
        id={id}
        aria-label={describe(point, isRoot, mark)}
        title={isPlain ? relation : undefined}
        onClick={() => nodeFocus.activate(id)}
      >
        {!isPlain && <Name relation={relation} layer={layer} note={noteOf(point, mark)} />}
      </NodeButton>
      {withColumns && !isPlain && <Columns point={point} />}
      {!isPlain && <Handle type="source" position={Position.Right} isConnectable={false} style={besideName} />}
      {isActive && !isPlain && address.relation !== '' && <NodeTools relation={relation} isRoot={isRoot} />}
    </div>
  );
}

const besideName = { top: sizes.head / 2 };

type NameProps = { readonly relation: string; readonly layer: Layer; readonly note: string | null };

/** The place before the name, as the relation is called; on the screen the name is above. */
const Name = ({ relation, layer, note }: NameProps) => (
  <>
    <LayerIcon layer={layer} />
    <span className="relation-text">
      <span className="relation-schema">
        <bdi>{relation.slice(0, -nameOf(relation).length)}</bdi>
      </span>
      <span className="relation-table" title={relation}>
        <bdi>
          <Breakable name={nameOf(relation)} />
        </bdi>
      </span>
    </span>
    {note !== null && <Note note={note} />}
  </>
);

const markIcons: Readonly<Record<string, typeof Ban>> = {
  breaks: Ban,
  may_break: CircleAlert,
  changed: Pencil,
  added: Plus,
  removed: Trash2,
};

/** How a relation changed, as a picture, or its kind in a word; the name of the button says both. */
function Note({ note }: { readonly note: string }) {
  const Icon = markIcons[note];
  return Icon ? (
    <span className="relation-mark" title={note.replaceAll('_', ' ')}>
      <Icon size={14} aria-hidden="true" />
    </span>
  ) : (
    <span className="relation-note" data-note={note} />
  );
}

/** Most relations are tables and views: naming that would tell nobody anything. */
const plainKinds: readonly string[] = [
  'table',
  'view',
  'relation',
  'unknown',
  'exposure',
  'source',
  'model',
  'dataset',
];

const noteOf = ({ row }: RelationPoint, mark?: string): string | null =>
  mark ?? (row && !plainKinds.includes(row.kind) ? row.kind : null);

const Columns = ({ point: { relation, columns } }: { readonly point: RelationPoint }) => {
  const shown = shownColumns(columns);
  return (
    columns.length > 0 && (
      <ul className="relation-columns" aria-label={texts.lineage.headings.columns}>
        {shown.map((column) => (
          <Column key={column} relation={relation} column={column} />
        ))}
        {columns.length > shown.length && (
          <li className="more">
            {columns.slice(shown.length).map((column) => (
              <Ends key={column} column={column} />
            ))}
            +{texts.columns(columns.length - shown.length)}
          </li>
        )}
      </ul>
    )
  );
};

const Ends = ({ column }: { readonly column: string }) => (
  <>
    <Handle type="target" id={`in ${column}`} position={Position.Left} isConnectable={false} />
    <Handle type="source" id={`out ${column}`} position={Position.Right} isConnectable={false} />
  </>
);

/** A column, whose way through the picture is highlighted while it is pointed at or has the focus. */
function Column({ relation, column }: { readonly relation: string; readonly column: string }) {
  const { address, highlight, highlightedColumns, root, nodeFocus } = usePicture();
  const key = columnKey(relation, column);
  return (
    <li
      data-highlighted={highlightedColumns.has(key)}
      data-in-question={relation === root && address.column.includes(column)}
    >
      <Ends column={column} />
      <button
        type="button"
        className="relation-column nodrag"
        tabIndex={-1}
        title={column}
        onMouseEnter={() => highlight(key)}
        onMouseLeave={() => highlight(null)}
        onFocus={() => {
          nodeFocus.activate(relation);
          highlight(key);
        }}
        onBlur={() => highlight(null)}
        onKeyDown={walkColumns}
      >
        {column}
      </button>
      <Glyph id={key} />
    </li>
  );
}

const glyphs = { passthrough: '=', renamed: '→', derived: 'ƒ', aggregated: 'Σ' } as const;

function Glyph({ id }: { readonly id: string }) {
  const { changes } = usePicture();
  const { change, expression, upstream } = changes.get(id) ?? {};
  if (!change) return null;
  const own = id.slice(id.indexOf('\n') + 1);
  const kind = change === 'passthrough' && upstream?.column !== own ? 'renamed' : change;
  return (
    <span className="glyph" data-kind={kind} aria-hidden="true" title={[kind, expression].filter(Boolean).join(': ')}>
      {glyphs[kind]}
    </span>
  );
}

/** The arrow keys lead from column to column, Escape back to the relation. */
function walkColumns(event: KeyboardEvent<HTMLElement>): void {
  const item = event.currentTarget.closest('li');
  const next = { ArrowDown: item?.nextElementSibling, ArrowUp: item?.previousElementSibling }[event.key];
  if (event.key === 'Escape') focusIn(event.currentTarget.closest('.relation'), '.relation-name');
  else if (next) focusIn(next, '.relation-column');
  else return;
  event.preventDefault();
}

function describe({ relation, row, columns }: RelationPoint, isRoot: boolean, mark?: string): string {
  return [
    relation,
    row?.kind,
    isRoot ? texts.lineage.root : row && texts.lineage.steps(row.depth, row.direction),
    row?.status === 'stale' && texts.lineage.statuses.stale.toLowerCase(),
    !isRoot && columns.length > 0 && texts.lineage.affected(columns.length),
    mark?.replaceAll('_', ' '),
  ]
    .filter(Boolean)
    .join(', ');
}

/** What can be done with the active relation: what is beyond it at its sides, the rest on its upper edge. */
function NodeTools({ relation, isRoot }: { readonly relation: string; readonly isRoot: boolean }) {
  const { address, change, connectorOf } = usePicture();
  const { up, down, hide } = address;
  const hidden = useHidden(relation);
  return (
    <div className="relation-tools nodrag" role="toolbar" aria-label={relation.split('.').at(-1)}>
      <Pin
        label={texts.lineage.expandUpstream}
        count={hidden.upstream}
        isDone={up.includes(relation)}
        expand={() => change({ up: [...up, relation] })}
      />
      <Pin
        label={texts.lineage.expandDownstream}
        count={hidden.downstream}
        isDone={down.includes(relation)}
        expand={() => change({ down: [...down, relation] })}
      />
      {!isRoot && (
        <button
          type="button"
          className="relation-tool"
          tabIndex={-1}
          aria-label={texts.lineage.focus}
          title={texts.lineage.focus}
          onClick={() => change(askedAbout(connectorOf(relation), relation))}
        >
          <Crosshair size={13} />
        </button>
      )}
      <button
        type="button"
        className="relation-tool"
        tabIndex={-1}
        disabled={isRoot}
        aria-label={texts.lineage.hide}
        title={texts.lineage.hide}
        onClick={() => change({ hide: [...hide, relation] })}
      >
        <EyeOff size={13} />
      </button>
    </div>
  );
}

type PinProps = {
  readonly label: string;
  readonly count: number;
  readonly isDone: boolean;
  readonly expand: () => void;
};

/** Expands one side; says how many neighbours are beyond the picture there. */
const Pin = ({ label, count, isDone, expand }: PinProps) => (
  <button
    type="button"
    className="pin"
    tabIndex={-1}
    disabled={isDone}
    aria-label={label}
    title={count > 0 ? `${label}: ${texts.lineage.notShown(count)}` : label}
    data-count={`+${count > 0 ? count.toLocaleString() : ''}`}
    onClick={expand}
  />
);

/** As of now: of a past time the service counts no neighbours. */
function useHidden(relation: string): { readonly upstream: number; readonly downstream: number } {
  const workspace = useWorkspace();
  const { address, edges, connectorOf } = usePicture();
  const { data } = useQuery({
    ...relationQuery(workspace?.id ?? '', connectorOf(relation), relation),
    enabled: address.as_of === null,
    retry: false,
  });
  if (data === undefined || address.as_of !== null) return { upstream: 0, downstream: 0 };
  const inputs = edges.filter(({ downstream }) => downstream === relation);
  const outputs = edges.filter(({ upstream }) => upstream === relation);
  return {
    upstream: Math.max(0, data.upstream_count - inputs.length),
    downstream: Math.max(0, data.downstream_count - outputs.length),
  };
}
