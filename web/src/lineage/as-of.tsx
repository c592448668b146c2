import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { readTime, written } from '../parts/time.tsx';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** The slider goes so far back where nothing is known to be older or younger. */
const usualDays = 14;

type AsOfProps = { readonly address: Address; readonly change: Change; readonly since: string | null };

/** At which time the graph is looked at: a slider for a glance, a field for what is meant exactly. */
export function AsOf({ address, change, since }: AsOfProps) {
  const [now] = useState(() => Math.ceil(Date.now() / minuteMs) * minuteMs);
  const asOf = address.as_of === null ? null : Date.parse(address.as_of);
  const choose = (time: number | null) =>
    change({ as_of: time === null || time >= now ? null : new Date(time).toISOString(), edge: null });
  const [slid, slide] = useSlid(choose);
  const at = slid ?? asOf ?? now;
  return (
    <div className="as-of">
      <label>
        {texts.asOf.slider}
        <input
          type="range"
          aria-valuetext={at >= now ? texts.now : new Date(at).toLocaleString()}
          min={oldestOf(since, asOf, now)}
          max={now}
          step={minuteMs}
          value={Math.min(at, now)}
          onChange={({ target }) => slide(Number(target.value))}
        />
      </label>
      <TimeField key={at} at={at >= now ? null : at} choose={choose} />
      <button type="button" disabled={address.as_of === null} onClick={() => choose(null)}>
        {texts.asOf.now}
      </button>
      {address.as_of !== null && (
        <Link to="/changes" search={{ connector: address.connector, from: address.as_of }}>
          {texts.asOf.compare}
        </Link>
      )}
    </div>
  );
}

/** Where the slider begins, to the minute: before all that is known, and before the time that is looked at. */
function oldestOf(since: string | null, asOf: number | null, now: number): number {
  const known = since === null ? now - usualDays * dayMs : Date.parse(since);
  return Math.floor(Math.min(known, asOf ?? now) / minuteMs - 10) * minuteMs;
}

/** A slider rests for so long before its time is asked for: not at every step of the way. */
const restMs = 350;

/** Where a slider was moved to, until that is chosen; null while it rests. */
function useSlid(choose: (time: number) => void) {
  const [slid, slide] = useState<number | null>(null);
  useEffect(() => {
    if (slid === null) return;
    const timer = setTimeout(() => {
      slide(null);
      choose(slid);
    }, restMs);
    return () => clearTimeout(timer);
  });
  return [slid, slide] as const;
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
