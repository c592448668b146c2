import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { historyQuery } from '../api/queries.ts';
import { texts } from '../texts.ts';
import { daysAgo } from './time.tsx';

type PresetsProps = {
  readonly workspaceId: string;
  readonly connector: string;
  /** A time that is looked at, which can be compared with too. */
  readonly from?: string | null;
};

/** Times that the graph is often compared with. The last release is the newest change of a document. */
export function Presets({ workspaceId, connector, from = null }: PresetsProps) {
  const { data } = useQuery({ ...historyQuery(workspaceId, connector), enabled: connector !== '' });
  const last = data?.items.at(-1)?.at;
  const times = [
    [texts.history.thisTime, from],
    [texts.history.yesterday, daysAgo(1)],
    [texts.history.week, daysAgo(7)],
    [texts.history.release, last && new Date(Date.parse(last) - 1_000).toISOString()],
  ] as const;
  return (
    <span className="presets">
      {texts.history.compare}
      {times.map(
        ([name, time]) =>
          time && (
            <Link key={name} to="/changes" search={{ connector, from: time }}>
              {name}
            </Link>
          ),
      )}
    </span>
  );
}
