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
  const first = Math.min(since === null ? now - usualDays * dayMs : Date.parse(since), asOf ?? now) - 10 * minuteMs;
  const oldest = Math.floor(first / minuteMs) * minuteMs;
  const [slid, setSlid] = useState<number | null>(null);
  const choose = (time: number | null) =>
    change({ as_of: time === null || time >= now ? null : new Date(time).toISOString(), edge: null });
  useEffect(() => {
    if (slid === null) return;
    // Not at every step of the way.
    const timer = setTimeout(() => {
      setSlid(null);
      choose(slid);
    }, 350);
    return () => clearTimeout(timer);
  });
  const at = slid ?? asOf ?? now;
  return (
    <div className="as-of">
      <label>
        {texts.asOf.slider}
        <input
          type="range"
          aria-valuetext={at >= now ? texts.now : new Date(at).toLocaleString()}
          min={oldest}
          max={now}
          step={minuteMs}
          value={Math.min(at, now)}
          onChange={({ target }) => setSlid(Number(target.value))}
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
