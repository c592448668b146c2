import { useRouter } from '@tanstack/react-router';
import {
  Activity,
  CircleAlert,
  GitPullRequestArrow,
  House,
  Inbox,
  KeyRound,
  ListChecks,
  RadioTower,
  ShieldCheck,
  Users,
  Waypoints,
} from 'lucide-react';
import { useEffect } from 'react';
import { isPlainKey } from '../parts/shortcut.ts';
import { texts } from '../texts.ts';

export type PageEntry = {
  readonly to: string;
  readonly name: string;
  readonly icon: typeof House;
  /** Opens the page after `g`. */
  readonly key?: string;
  readonly isOfAdmins?: true;
};

export const pageGroups: readonly { readonly title: string; readonly pages: readonly PageEntry[] }[] = [
  {
    title: texts.nav.ask,
    pages: [
      { to: '/', name: texts.nav.find, icon: House, key: 'o' },
      { to: '/lineage', name: texts.nav.lineage, icon: Waypoints, key: 'l' },
      { to: '/changes', name: texts.nav.changes, icon: GitPullRequestArrow, key: 'c' },
    ],
  },
  {
    title: texts.nav.run,
    pages: [
      { to: '/providers', name: texts.providers.title, icon: RadioTower, key: 'p' },
      { to: '/deliveries', name: texts.deliveries.title, icon: Inbox, key: 'd' },
      { to: '/gaps', name: texts.gaps.title, icon: CircleAlert, key: 'g' },
      { to: '/checks', name: texts.checks.title, icon: ListChecks },
      { to: '/policy', name: texts.policy.title, icon: ShieldCheck, isOfAdmins: true },
    ],
  },
  {
    title: texts.nav.settings,
    pages: [
      { to: '/collection', name: texts.collection.title, icon: Activity, isOfAdmins: true },
      { to: '/tokens', name: texts.tokens.title, icon: KeyRound, isOfAdmins: true },
      { to: '/access', name: texts.access.title, icon: Users },
    ],
  },
];

/** The pages that a user sees in the rail. */
export const pagesFor = (isAdmin: boolean): readonly PageEntry[] =>
  pageGroups.flatMap(({ pages }) => pages.filter(({ isOfAdmins }) => isAdmin || !isOfAdmins));

/** The longest pause between `g` and the key of a page. */
const pauseMs = 1_500;

/** Opens a page when somebody presses `g` and then its key, before any part of a page sees that key. */
export function useGoKeys(): void {
  const { navigate } = useRouter();
  useEffect(() => {
    let armedAt = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      if (!isPlainKey(event)) return;
      const isArmed = event.timeStamp - armedAt < pauseMs;
      armedAt = !isArmed && event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const page = isArmed && pageGroups.flatMap(({ pages }) => pages).find(({ key }) => key === event.key);
      if (!page) return;
      event.preventDefault();
      event.stopPropagation();
      void navigate({ to: page.to });
    };
    addEventListener('keydown', press, { capture: true });
    return () => removeEventListener('keydown', press, { capture: true });
  }, [navigate]);
}
