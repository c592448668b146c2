import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, type KeyboardEvent, useState } from 'react';
import { type GraphChanges, historyQuery } from '../api/queries.ts';
import { Presets } from '../parts/presets.tsx';
import { ago, readTime, written } from '../parts/time.tsx';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';

type HistoryProps = { readonly workspaceId: string; readonly address: Address; readonly change: Change };

/** When the graph of the connector changed, and the time at which it is looked at. */
export function History({ workspaceId, address, change }: HistoryProps) {
  const { connector, as_of } = address;
  const [now] = useState(() => Math.ceil(Date.now() / minuteMs) * minuteMs);
  const { data } = useQuery(historyQuery(workspaceId, connector));
  const asOf = as_of === null ? null : Date.parse(as_of);
  const choose = (time: number | null) =>
    change({ as_of: time === null || time >= now ? null : new Date(time).toISOString(), edge: null });
  const marks = marksOf(data?.items ?? [], { now, asOf });
  return (
    <section className="as-of" aria-label={texts.history.title}>
      <span>{texts.history.title}</span>
      <div className="history">
        {marks.bars.map((bar) => (
          <Link
            key={bar.to}
            to="/changes"
            search={{ connector, from: new Date(bar.from).toISOString(), to: new Date(bar.to).toISOString() }}
            className="history-bar"
            data-gone={bar.columns > 0}
            style={{ '--at': bar.at, '--height': bar.height } as CSSProperties}
            aria-label={bar.words}
            title={bar.words}
          />
        ))}
        <Thumb {...marks} at={asOf ?? now} now={now} choose={choose} />
      </div>
      <TimeField key={asOf} at={asOf} choose={choose} />
      {asOf !== null && (
        <button type="button" onClick={() => choose(null)}>
          {texts.asOf.now}
        </button>
      )}
      <Presets workspaceId={workspaceId} connector={connector} from={as_of} />
    </section>
  );
}

type Bar = {
  /** Its place, 0 to 1. */
  readonly at: number;
  readonly height: number;
  readonly columns: number;
  readonly words: string;
  /** The times between which it lies. */
  readonly from: number;
  readonly to: number;
};
type Marks = { readonly bars: readonly Bar[]; readonly start: number; readonly place: (time: number) => number };

const [minuteMs, dayMs] = [60_000, 86_400_000];
/** What lies so close together that bars would cover each other is one. */
const slots = 40;

/** The changes from the oldest until now, and the time that is looked at, on one line. */
function marksOf(
  items: GraphChanges['items'],
  { now, asOf }: { readonly now: number; readonly asOf: number | null },
): Marks {
  const times = [...items.map(({ at }) => Date.parse(at)), asOf ?? now];
  const oldest = Math.min(now - dayMs, ...times);
  const start = oldest - (now - oldest) / slots;
  const place = (time: number) => (Math.min(time, now) - start) / (now - start);
  const groups = [...Map.groupBy(items, ({ at }) => Math.floor(place(Date.parse(at)) * slots)).values()];
  const most = Math.log2(2 + Math.max(0, ...groups.map((group) => sum(group, 'relations'))));
  const bars = groups.map((group): Bar => {
    const [first, last] = [group[0]?.at ?? '', group.at(-1)?.at ?? ''];
    const [relations, columns] = [sum(group, 'relations'), sum(group, 'columns_removed')];
    const kinds = [...new Set(group.map(({ kind }) => texts.history.kinds[kind] ?? kind))];
    return {
      at: place(Date.parse(last)),
      height: Math.log2(2 + relations) / most,
      columns,
      words: texts.history.change(ago(last), kinds, relations, columns),
      // The change itself lies within both times.
      from: Date.parse(first) - 1_000,
      to: Date.parse(last) + 1_000,
    };
  });
  return { bars, start, place };
}

const sum = (items: GraphChanges['items'], key: 'relations' | 'columns_removed'): number =>
  items.reduce((total, one) => total + one[key], 0);

type ThumbProps = Marks & {
  readonly at: number;
  readonly now: number;
  readonly choose: (time: number) => void;
};

/** Where one looks on the line; the keyboard moves it from change to change. */
function Thumb({ bars, start, place, at, now, choose }: ThumbProps) {
  const stops = [start, ...bars.map(({ to }) => to), now];
  const move = (event: KeyboardEvent) => {
    const next = {
      ArrowLeft: stops.findLast((stop) => stop < at),
      ArrowRight: stops.find((stop) => stop > at),
      Home: start,
      End: now,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    // The picture moves by the arrows too.
    event.stopPropagation();
    choose(next);
  };
  return (
    <span
      role="slider"
      tabIndex={0}
      className="history-thumb"
      style={{ '--at': place(at) } as CSSProperties}
      aria-label={texts.asOf.slider}
      aria-valuemin={Math.floor(start)}
      aria-valuemax={now}
      aria-valuenow={at}
      aria-valuetext={at >= now ? texts.asOf.now : new Date(at).toLocaleString()}
      onKeyDown={move}
    />
  );
}

function TimeField({ at, choose }: { readonly at: number | null; readonly choose: (time: number | null) => void }) {
  const [text, setText] = useState(at === null ? '' : written(at));
  const [wrong, setWrong] = useState<string | null>(null);
  const take = () => {
    if (text === (at === null ? '' : written(at))) return;
    const time = text.trim() === '' ? null : readTime(text);
    const isFuture = time !== null && Date.parse(time) > Date.now();
    if (text.trim() !== '' && time === null) setWrong(texts.asOf.invalid);
    else if (isFuture) setWrong(texts.asOf.future);
    else choose(time === null ? null : Date.parse(time));
  };
  return (
    <span className="as-of-field">
      <input
        type="text"
        aria-label={texts.asOf.text}
        aria-invalid={wrong !== null}
        title={texts.asOf.hint}
        placeholder={texts.asOf.now}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setWrong(null);
        }}
        onBlur={take}
        onKeyDown={({ key }) => key === 'Enter' && take()}
      />
      {wrong && (
        <span role="alert" className="field-error">
          {wrong}
        </span>
      )}
    </span>
  );
}
