import { createElement, Fragment } from 'react';
import { texts } from '../texts.ts';

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** A time as a distance from now: "2 hours ago". */
export function ago(time: string | null | undefined): string {
  if (!time) return texts.never;
  const seconds = (Date.parse(time) - Date.now()) / 1_000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relative.format(Math.round(seconds / size), unit);
}

/** Some days ago, to the hour, so that a question stays the same while one looks. */
export const daysAgo = (days: number): string =>
  new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - days * 86_400_000).toISOString();

/** A time as a distance from now, and whole where it is pointed at. */
export const Time = ({ at }: { readonly at: string | null | undefined }) =>
  at ? (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {ago(at)}
    </time>
  ) : (
    <span className="dim">{texts.never}</span>
  );

const marked = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z|`[^`]{1,100}`)/;

/** A text of the service, with its times as distances from now, and what is between backticks as code. */
export const Prose = ({ text }: { readonly text: string }) => {
  const parts = text.split(marked).map((part, index) => {
    if (index % 2 === 0) return part;
    return part.startsWith('`') ? createElement('code', null, part.slice(1, -1)) : createElement(Time, { at: part });
  });
  return createElement(Fragment, null, ...parts);
};

export const TimeCell = (props: Parameters<typeof Time>[0]) => (
  <td>
    <Time {...props} />
  </td>
);

/** A time as one writes it into a field, in the person's own zone, to the minute. */
export function written(time: string | number): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16).replace('T', ' ');
}

/** The time that was written into a field, or null if it is none. */
export function readTime(text: string): string | null {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:\d{2})?)?$/.exec(
    text.trim(),
  );
  if (match === null) return null;
  const [, day, clock = '00:00', zone = ''] = match;
  const date = new Date(`${day}T${clock}${zone}`);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
