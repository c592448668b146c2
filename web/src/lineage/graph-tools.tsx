import { Toolbar, ToolbarItem } from '@ariakit/react';
import { useReactFlow, useStore } from '@xyflow/react';
import { Download, Maximize, Minus, Plus, Search, Undo2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { nameOf, schemaOf } from '../../../shared/contract/layers.ts';
import { verdicts } from '../../../shared/contract/vocabulary.ts';
import { Choice } from '../parts/fields.tsx';
import { save } from '../parts/save.ts';
import { useShortcut } from '../parts/shortcut.ts';
import { texts } from '../texts.ts';
import { type Shown, verdictOf } from './answer.ts';
import { type Marks, markOf } from './flow-elements.ts';
import { type Picture, readable } from './groups.ts';
import { type Place, type Places, shortened, sizes } from './layout.ts';
import { usePicture } from './picture-context.ts';
import { fitting } from './use-picture-state.ts';
import { VerdictLine } from './verdicts.tsx';

type GraphToolsProps = {
  readonly picture: Picture;
  readonly places: Places;
  readonly shown: Shown;
  readonly withColumns: boolean;
  readonly undo: (() => void) | null;
  readonly marks?: Marks | undefined;
};

/** How to look at the picture, and how to take it along. */
export function GraphTools({ picture, places, shown, withColumns, undo, marks }: GraphToolsProps) {
  const { fitView, zoomIn, zoomOut } = useReactFlow();
  const zoom = useStore(({ transform }) => Math.round(100 * transform[2]));
  const svg = () => drawnSvg({ picture, places, shown, withColumns, marks });
  const name = shown.root === '' ? 'changes' : shown.root;
  const [isFinding, setFinding] = useState(false);
  useShortcut('f', () => setFinding(true));
  useZoomKeys();
  return (
    <div className="graph-tools">
      {isFinding && <FindInPicture picture={picture} places={places} close={() => setFinding(false)} />}
      <Toolbar aria-label={texts.lineage.tools}>
        <ToolbarItem
          aria-label={texts.lineage.find.open}
          title={`${texts.lineage.find.open} f`}
          aria-expanded={isFinding}
          onClick={() => setFinding(!isFinding)}
        >
          <Search size={15} />
        </ToolbarItem>
        <ToolbarItem aria-label={texts.lineage.zoomOut} title={texts.lineage.zoomOut} onClick={() => zoomOut()}>
          <Minus size={15} />
        </ToolbarItem>
        <span className="zoom">{zoom}%</span>
        <ToolbarItem aria-label={texts.lineage.zoomIn} title={texts.lineage.zoomIn} onClick={() => zoomIn()}>
          <Plus size={15} />
        </ToolbarItem>
        <ToolbarItem aria-label={texts.lineage.fit} title={texts.lineage.fit} onClick={() => fitView(fitting)}>
          <Maximize size={15} />
        </ToolbarItem>
        {marks === undefined && (
          <ToolbarItem
            aria-label={texts.lineage.undo}
            title={texts.lineage.undo}
            disabled={undo === null}
            onClick={() => undo?.()}
          >
            <Undo2 size={15} />
          </ToolbarItem>
        )}
        <ToolbarItem
          aria-label={texts.lineage.downloadPicture}
          title={texts.lineage.downloadPicture}
          onClick={async () => save(`${name}.png`, await pngOf(svg()))}
        >
          <Download size={15} />
        </ToolbarItem>
        <ToolbarItem
          aria-label={texts.lineage.downloadSvg}
          title={texts.lineage.downloadSvg}
          onClick={() => save(`${name}.svg`, new Blob([svg().text], { type: 'image/svg+xml' }))}
        >
          SVG
        </ToolbarItem>
        {marks === undefined && shown.rows.length >= readable && <GroupChoice />}
        {marks === undefined && <Legend withColumns={withColumns} />}
      </Toolbar>
    </div>
  );
}

function useZoomKeys(): void {
  const { fitView, zoomIn, zoomOut, zoomTo } = useReactFlow();
  useShortcut('+', () => void zoomIn());
  useShortcut('-', () => void zoomOut());
  useShortcut('0', () => void fitView(fitting));
  useShortcut('1', () => void zoomTo(1));
}

type FindInPictureProps = Pick<GraphToolsProps, 'picture' | 'places'> & { readonly close: () => void };

function FindInPicture({ picture, places, close }: FindInPictureProps) {
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
      const place = places.get(found[next] ?? '');
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

const Legend = ({ withColumns }: { readonly withColumns: boolean }) => (
  <details className="legend">
    <summary>{texts.lineage.legend.label}</summary>
    <ul>
      {verdicts.map((verdict) => (
        <li key={verdict}>
          <VerdictLine verdict={verdict} />
        </li>
      ))}
      {withColumns && <li data-line="direct">{texts.lineage.legend.direct}</li>}
      {withColumns && <li data-line="derived">{texts.lineage.legend.derived}</li>}
      {withColumns && <li data-line="indirect">{texts.lineage.legend.indirect}</li>}
      {withColumns && <li data-line="masked">{texts.lineage.legend.masked}</li>}
      <li data-line="weak">{texts.lineage.legend.weak}</li>
      <li data-line="stale">{texts.lineage.legend.stale}</li>
    </ul>
  </details>
);

type Drawing = { readonly text: string; readonly width: number; readonly height: number };

type Parts = {
  readonly picture: Picture;
  readonly places: Places;
  readonly shown: Shown;
  readonly withColumns: boolean;
  readonly marks?: Marks | undefined;
};

const margin = 24;
const colours = {
  ink: '#17202e',
  dim: '#536075',
  line: '#8fa0b8',
  box: '#ffffff',
  edge: '#b5bfce',
  root: '#2350c4',
  bad: '#bd1f2d',
};
const markColours: Readonly<Record<string, string>> = { added: '#14653d', removed: '#a5202f', changed: '#b57400' };
/** As `edges.css` has them. */
const dashes: Readonly<Record<string, string>> = {
  declared_only: '6 4',
  observed_only: '1.5 4',
  contradicted: '1.5 4',
  stale: '10 3 2 3',
};

/** The whole picture as a standalone SVG for documents, always in the light theme. */
function drawnSvg({ picture, places, shown, withColumns, marks }: Parts): Drawing {
  const all = [...places.values()];
  const width = Math.max(...all.map(({ x, width: own }) => x + own), 0) + 2 * margin;
  const height = Math.max(...all.map(({ y, height: own }) => y + own), 0) + 2 * margin;
  const lines = picture.lines.map((line) => {
    const { source, target, edges } = line;
    const stale = edges.every(({ status }) => status === 'stale');
    const verdict = verdictOf(edges);
    const colour = markColours[markOf(line, marks) ?? ''] ?? (verdict === 'contradicted' ? colours.bad : colours.line);
    return curve(places.get(source), places.get(target), colour, dashes[stale ? 'stale' : (verdict ?? '')] ?? null);
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
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-margin} ${-margin} ${width} ${height}" font-family="system-ui, sans-serif"><rect x="${-margin}" y="${-margin}" width="${width}" height="${height}" fill="#f4f6f9"/>${[...lines, ...boxes, ...groups].join('')}</svg>`;
  return { text, width, height };
}

function curve(from: Place | undefined, to: Place | undefined, colour: string, dashes: string | null): string {
  if (from === undefined || to === undefined) return '';
  const [x1, y1] = [from.x + from.width, from.y + sizes.head / 2];
  const [x2, y2] = [to.x, to.y + sizes.head / 2];
  const bend = Math.max(40, Math.abs(x2 - x1) / 2);
  const dash = dashes === null ? '' : ` stroke-dasharray="${dashes}"`;
  return `<path d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}" fill="none" stroke="${colour}" stroke-width="1.5"${dash}/>`;
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

const safe = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Browsers draw no larger canvas. */
const maxPixels = 8_000;

/** The drawing as PNG, twice as fine where a canvas holds that. */
async function pngOf({ text, width, height }: Drawing): Promise<Blob> {
  const scale = Math.min(2, maxPixels / Math.max(width, height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The picture is too large.')) : resolve(blob)),
      'image/png',
    ),
  );
}
