import { Toolbar, ToolbarItem } from '@ariakit/react';
import { useReactFlow, useStore } from '@xyflow/react';
import { Download, type LucideIcon, Maximize, Minus, Plus, Search, Undo2, X } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { nameOf, schemaOf } from '../../../shared/contract/layers.ts';
import { Choice } from '../parts/fields.tsx';
import { useShortcut } from '../parts/shortcut.ts';
import { written } from '../parts/time.tsx';
import { texts } from '../texts.ts';
import { isDoubted, type Shown, verdictOf } from './answer.ts';
import { type Marks, markOf } from './flow-elements.ts';
import { nameOfGroup, type Picture, readable } from './groups.ts';
import { type Layout, type Place, pathOf, shortened, sizes } from './layout.ts';
import { usePicture } from './picture-context.ts';
import { fitting } from './use-picture-state.ts';

type GraphToolsProps = {
  readonly picture: Picture;
  readonly layout: Layout;
  readonly shown: Shown;
  readonly withColumns: boolean;
  readonly undo: (() => void) | null;
  readonly marks?: Marks | undefined;
  readonly caption: readonly string[];
};

/** How to look at the picture, and how to take it along. */
export function GraphTools({ picture, layout, shown, withColumns, undo, marks, caption }: GraphToolsProps) {
  const { fitView, zoomIn, zoomOut } = useReactFlow();
  const zoom = useStore(({ transform }) => Math.round(100 * transform[2]));
  const drawing = () => drawnSvg({ picture, layout, shown, withColumns, marks, caption });
  const name = shown.root === '' ? 'changes' : shown.root;
  const [isFinding, setFinding] = useState(false);
  useShortcut('f', () => setFinding(true));
  useZoomKeys();
  return (
    <div className="graph-tools">
      {isFinding && <FindInPicture picture={picture} layout={layout} close={() => setFinding(false)} />}
      <OpenGroups />
      <Toolbar aria-label={texts.lineage.tools}>
        <Tool
          name={texts.lineage.find.open}
          title={`${texts.lineage.find.open} f`}
          icon={Search}
          aria-expanded={isFinding}
          onClick={() => setFinding(!isFinding)}
        />
        <Tool name={texts.lineage.zoomOut} icon={Minus} onClick={() => zoomOut()} />
        <span className="zoom">{zoom}%</span>
        <Tool name={texts.lineage.zoomIn} icon={Plus} onClick={() => zoomIn()} />
        <Tool name={texts.lineage.fit} icon={Maximize} onClick={() => fitView(fitting)} />
        {marks === undefined && (
          <Tool name={texts.lineage.undo} icon={Undo2} disabled={undo === null} onClick={() => undo?.()} />
        )}
        <Tool
          name={texts.lineage.downloadPicture}
          icon={Download}
          onClick={async () => save(`${name}.png`, await pngOf(drawing()))}
        />
        {marks === undefined && shown.rows.length >= readable && <GroupChoice />}
      </Toolbar>
    </div>
  );
}

type ToolProps = ComponentProps<typeof ToolbarItem> & { readonly name: string; readonly icon: LucideIcon };

const Tool = ({ name, icon: Icon, ...item }: ToolProps) => (
  <ToolbarItem aria-label={name} title={name} {...item}>
    <Icon size={15} />
  </ToolbarItem>
);

function useZoomKeys(): void {
  const { fitView, zoomIn, zoomOut, zoomTo } = useReactFlow();
  useShortcut('+', () => void zoomIn());
  useShortcut('-', () => void zoomOut());
  useShortcut('0', () => void fitView(fitting));
  useShortcut('1', () => void zoomTo(1));
}

type FindInPictureProps = Pick<GraphToolsProps, 'picture' | 'layout'> & { readonly close: () => void };

function FindInPicture({ picture, layout, close }: FindInPictureProps) {
  const { nodeFocus } = usePicture();
  const { setCenter, getZoom } = useReactFlow();
  const [text, setText] = useState('');
  const [at, setAt] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const found = useMemo(() => namedIn(picture, text.trim().toLowerCase()), [picture, text]);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    nodeFocus.light('search', text.trim() === '' ? null : new Set(found));
    return () => nodeFocus.light('search', null);
  }, [nodeFocus, found, text]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      close();
      nodeFocus.focus(found[at] ?? nodeFocus.active());
    } else if (event.key === 'Enter' && found.length > 0) {
      const next = (at + (event.shiftKey ? -1 : 1) + found.length) % found.length;
      const place = layout.places.get(found[next] ?? '');
      setAt(next);
      if (place) void setCenter(place.x + place.width / 2, place.y + place.height / 2, { zoom: getZoom() });
      nodeFocus.activate(found[next] ?? '');
    } else return;
    event.preventDefault();
  };
  return (
    <div className="find-in-picture">
      <input
        ref={field}
        type="text"
        aria-label={texts.lineage.find.label}
        placeholder={texts.lineage.find.label}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(-1);
        }}
        onKeyDown={onKeyDown}
      />
      <span role="status">{text.trim() !== '' && texts.lineage.find.count(at + 1, found.length)}</span>
    </div>
  );
}

const namedIn = ({ relations, groups }: Picture, text: string): string[] => [
  ...relations.filter(({ relation }) => relation.toLowerCase().includes(text)).map(({ id }) => id),
  ...groups.filter(({ members }) => members.some((name) => name.toLowerCase().includes(text))).map(({ id }) => id),
];

/** The groups that are open, each with what closes it. */
function OpenGroups() {
  const { address, change } = usePicture();
  if (address.open.length === 0) return null;
  return (
    <ul className="plain open-groups">
      {address.open.map((id) => (
        <li key={id}>
          <button type="button" onClick={() => change({ open: address.open.filter((one) => one !== id) })}>
            {texts.lineage.close(nameOfGroup(id))} <X size={13} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function GroupChoice() {
  const { address, change } = usePicture();
  return (
    <Choice
      label={texts.lineage.groupBy}
      value={address.group}
      options={texts.lineage.groupings}
      choose={(group) => change({ group, open: [] })}
    />
  );
}

type Drawing = { readonly text: string; readonly width: number; readonly height: number };

const [margin, captionLine, leastWidth] = [24, 20, 640];
const colours = {
  ink: '#17202e',
  dim: '#536075',
  line: '#8fa0b8',
  box: '#ffffff',
  edge: '#b5bfce',
  root: '#2350c4',
  bad: '#bd1f2d',
};
const markColours: Readonly<Record<string, string>> = { added: '#0a7a4a', removed: '#8f0f2e', changed: '#bd7d10' };
/** As `edges.css` has them. */
const dashes: Readonly<Record<string, string>> = {
  doubted: '6 4',
  observed_only: '1.5 4',
  contradicted: '1.5 4',
  stale: '10 3 2 3',
};

/** The whole picture for documents, always in the light theme, below what it claims and the time. */
function drawnSvg({
  picture,
  layout: { places, routes },
  shown,
  withColumns,
  marks,
  caption,
}: Omit<GraphToolsProps, 'undo'>): Drawing {
  const all = [...places.values()];
  const [left, start] = [Math.min(...all.map(({ x }) => x)), Math.min(...all.map(({ y }) => y))];
  const width = Math.max(...all.map(({ x, width: own }) => x + own - left), leastWidth) + 2 * margin;
  const words = [...caption, `${texts.product}, ${written(Date.now())}`].flatMap((line) => wrapped(line, width / 8));
  const above = words.length * captionLine + margin;
  const height = Math.max(...all.map(({ y, height: own }) => y + own - start), 0) + 2 * margin + above;
  const top = start - margin - above;
  const claim = words.map(
    (line, index) =>
      `<text x="${left}" y="${top + margin + (index + 0.6) * captionLine}" font-size="14" ${index === 0 ? 'font-weight="600" ' : ''}fill="${colours.ink}">${safe(line)}</text>`,
  );
  const lines = picture.lines.map((line) => {
    const { id, edges } = line;
    const stale = edges.every(({ status }) => status === 'stale');
    const verdict = verdictOf(edges);
    const colour = markColours[markOf(line, marks) ?? ''] ?? (verdict === 'contradicted' ? colours.bad : colours.line);
    const dash = dashes[stale ? 'stale' : isDoubted(edges) ? 'doubted' : (verdict ?? '')] ?? 'none';
    return `<path d="${pathOf(routes.get(id) ?? [])}" fill="none" stroke="${colour}" stroke-width="1.5" stroke-dasharray="${dash}"/>`;
  });
  const boxes = picture.relations.map(({ id, relation, columns }) => {
    const colour =
      markColours[marks?.relations.get(relation) ?? ''] ?? (relation === shown.root ? colours.root : colours.edge);
    const names = { above: schemaOf(relation), name: nameOf(relation), columns: withColumns ? columns : [] };
    return box(places.get(id), names, colour);
  });
  const groups = picture.groups.map(({ id, schema, members }) =>
    box(places.get(id), { above: schema, name: texts.relations(members.length), columns: [] }, colours.edge),
  );
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${left - margin} ${top} ${width} ${height}" font-family="system-ui, sans-serif"><rect x="${left - margin}" y="${top}" width="${width}" height="${height}" fill="#f4f6f9"/>${[...claim, ...lines, ...boxes, ...groups].join('')}</svg>`;
  return { text, width, height };
}

type Names = { readonly above: string; readonly name: string; readonly columns: readonly string[] };

function box(place: Place | undefined, { above, name, columns }: Names, colour: string): string {
  if (place === undefined) return '';
  const { x, y, width, height } = place;
  const lines = columns.map(
    (column, index) =>
      `<text x="${x + 12}" y="${y + sizes.head + 15 + index * sizes.column}" font-size="12" fill="${colours.ink}">${safe(shortened(column))}</text>`,
  );
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="9" fill="${colours.box}" stroke="${colour}" stroke-width="1.5"/><text x="${x + 12}" y="${y + 20}" font-size="11" fill="${colours.dim}">${safe(shortened(above))}</text><text x="${x + 12}" y="${y + 39}" font-size="14" font-weight="600" fill="${colours.ink}">${safe(shortened(name))}</text>${lines.join('')}`;
}

/** The words of a line in lines of about so many characters. */
function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const safe = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Browsers draw no larger canvas. */
const maxPixels = 8_000;

/** The drawing as PNG, twice as fine where a canvas holds that. */
async function pngOf({ text, width, height }: Drawing): Promise<Blob> {
  const scale = Math.min(2, maxPixels / Math.max(width, height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob();
}

function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then; before, some browsers would find nothing.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
