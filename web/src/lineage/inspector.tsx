import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from 'react';
import { relationQuery } from '../api/queries.ts';
import { useShortcut } from '../parts/shortcut.ts';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';

const widthKey = 'tributary.inspector';
const [leastWidth, mostWidth] = [300, 640];

/** Whether the inspector is open, and how wide; `]` or its button switches. */
export function useInspector({ edge }: Address) {
  const [isOpen, setOpen] = useState(true);
  const [width, setWidth] = useState(() => Number(localStorage.getItem(widthKey)) || null);
  const toggle = () => setOpen(!isOpen);
  useShortcut(']', toggle);
  const resize = (wish: number) => {
    const next = Math.round(Math.min(mostWidth, Math.max(leastWidth, wish)));
    setWidth(next);
    localStorage.setItem(widthKey, String(next));
  };
  const style = width === null ? undefined : ({ '--inspector': `${width}px` } as CSSProperties);
  return { shown: isOpen ? (edge === null ? 'open' : 'evidence') : 'closed', toggle, width, resize, style };
}

type SeparatorProps = ComponentProps<'div'> & { readonly value: number; readonly range: readonly [number, number] };

/** An edge of the inspector that a drag or the arrow keys move. */
const Separator = ({ value, range: [least, most], ...others }: SeparatorProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a rule of HTML cannot be focused and moved.
  <div
    className="divider"
    role="separator"
    aria-valuenow={value}
    aria-valuemin={least}
    aria-valuemax={most}
    tabIndex={0}
    onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
    {...others}
  />
);

type DividerProps = { readonly width: number | null; readonly resize: (width: number) => void };

/** The left edge of the inspector. */
export const Divider = ({ width, resize }: DividerProps) => (
  <Separator
    aria-orientation="vertical"
    aria-label={texts.lineage.inspectorWidth}
    value={width ?? leastWidth}
    range={[leastWidth, mostWidth]}
    onPointerMove={({ currentTarget, pointerId, clientX }) =>
      currentTarget.hasPointerCapture(pointerId) && resize(innerWidth - clientX)
    }
    onKeyDown={({ key, currentTarget }) => {
      const step = { ArrowLeft: 16, ArrowRight: -16 }[key];
      if (step !== undefined) resize((currentTarget.parentElement?.offsetWidth ?? leastWidth) + step);
    }}
  />
);

/** How high the sheet of a phone can rest, in percent of the page. The picture never gets less than the middle one leaves. */
const [lowest, middle, highest] = [10, 42, 90];
const rests: readonly number[] = [lowest, middle, highest];
/** A window that is lower leaves the picture no room beside the sheet, as one at a zoom of 200 %. */
const shortWindow = 600;

/** The height of the sheet that holds the inspector on a phone. */
export function useSheet() {
  const [height, setHeight] = useState(() => (innerHeight < shortWindow ? lowest : middle));
  const row = Math.min(height, middle);
  const style = { '--sheet': `${row}%`, '--sheet-height': `${(100 * height) / row}%` } as CSSProperties;
  return { height, setHeight, style };
}

const nearestRest = (height: number): number =>
  rests.reduce((best, rest) => (Math.abs(rest - height) < Math.abs(best - height) ? rest : best));

type SheetHandleProps = { readonly height: number; readonly setHeight: (height: number) => void };

/** The upper edge of the sheet. */
export function SheetHandle({ height, setHeight }: SheetHandleProps) {
  const drag = ({ currentTarget, pointerId, clientY }: PointerEvent) => {
    const page = currentTarget.closest('.canvas-page')?.getBoundingClientRect();
    if (page === undefined || !currentTarget.hasPointerCapture(pointerId)) return;
    setHeight(Math.min(highest, Math.max(lowest, (100 * (page.bottom - clientY)) / page.height)));
  };
  const step = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const next = rests.indexOf(nearestRest(height)) + (by ?? 0);
    if (by === undefined) return;
    event.preventDefault();
    setHeight(rests[next] ?? height);
  };
  return (
    <Separator
      aria-orientation="horizontal"
      aria-label={texts.lineage.sheetHeight}
      value={Math.round(height)}
      range={[lowest, highest]}
      onPointerMove={drag}
      onPointerUp={() => setHeight(nearestRest(height))}
      onKeyDown={step}
    />
  );
}

type ColumnsPanelProps = {
  readonly workspaceId: string;
  readonly address: Address;
  readonly change: Change;
  /** Columns of the root that the answer names. */
  readonly seen: readonly string[];
};

/** From here on one would search rather than read. */
const many = 12;

/** The root's columns. Checked ones are part of the query. */
export function ColumnsPanel({ workspaceId, address, change, seen }: ColumnsPanelProps) {
  const [filter, setFilter] = useState('');
  const { data, isPending } = useQuery(relationQuery(workspaceId, address.connector, address.relation));
  const columns = new Map<string, string | null>((data?.columns ?? []).map(({ name, type }) => [name, type ?? null]));
  for (const name of [...seen, ...address.column]) if (!columns.has(name)) columns.set(name, null);
  const shown = [...columns].filter(([name]) => name.toLowerCase().includes(filter.toLowerCase()));
  const check = (name: string, isChecked: boolean) => {
    const others = address.column.filter((one) => one !== name);
    change({ column: isChecked ? [...others, name] : others, edge: null });
  };
  return (
    <fieldset className="panel columns-panel">
      <legend className="panel-title">{texts.lineage.headings.columns}</legend>
      <p className="dim">{texts.lineage.askColumns}</p>
      {columns.size > many && (
        <input
          type="text"
          aria-label={texts.lineage.columnsFilter}
          placeholder={texts.lineage.columnsFilter}
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      )}
      {columns.size === 0 && <p className="dim">{isPending ? texts.loading : texts.lineage.columnsNone}</p>}
      <div className="columns-list">
        {shown.map(([name, type]) => (
          <label key={name} className="check">
            <input
              type="checkbox"
              aria-label={name}
              checked={address.column.includes(name)}
              onChange={({ target }) => check(name, target.checked)}
            />
            <span className="ref">{name}</span>
            {type && <span className="dim">{type}</span>}
          </label>
        ))}
      </div>
      {address.column.length > 0 && (
        <button type="button" onClick={() => change({ column: [], edge: null })}>
          {texts.lineage.columnsClear}
        </button>
      )}
    </fieldset>
  );
}
