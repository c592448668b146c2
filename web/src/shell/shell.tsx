import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useRouter, useSearch } from '@tanstack/react-router';
import { Ellipsis, Link2, PanelLeft } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { worldQuery } from '../api/queries.ts';
import { SearchBox } from '../find/search-box.tsx';
import { Failure } from '../parts/failure.tsx';
import { Select } from '../parts/fields.tsx';
import { useOpenGaps } from '../parts/gaps.ts';
import { useCommandKey, usePageFocus, useShortcut } from '../parts/shortcut.ts';
import { CopyButton } from '../parts/snippet.tsx';
import { settings } from '../settings.ts';
import { endSession, useSession, wasRefused, wasSignedIn } from '../sign-in/session.ts';
import { texts } from '../texts.ts';
import { type PageEntry, pageGroups, pagesFor, useGoKeys } from './pages.ts';
import { chooseTheme, usePhone, useTheme } from './theme.ts';
import { keepWorkspace, may, sharedAddress, useWorkspace } from './world.ts';

const open = ['/sign-in', '/signed-in'];

/** The frame around every page; who is not signed in is sent to sign in, and back. */
export function Shell() {
  const { pathname, href } = useLocation();
  const session = useSession();
  const isOpen = open.includes(pathname);
  const isBarred = session === null && !isOpen;
  const { history } = useRouter();
  const rail = useRail(pathname);
  useTitle(pathname);
  usePageFocus(pathname);
  useEffect(() => {
    if (!isBarred) return;
    if (wasSignedIn() && settings.issuer !== null)
      void import('../sign-in/sign-in.ts').then(({ startSignIn }) => startSignIn(href, { silent: true }));
    else
      history.replace(
        `/sign-in?${new URLSearchParams({ return: href, ...(wasRefused() && { refused: 'session_ended' }) })}`,
      );
  }, [isBarred, href, history]);
  if (isBarred) return null;
  return (
    <>
      <a className="skip" href="#page">
        {texts.nav.skip}
      </a>
      <div className="shell" data-rail={session === null ? 'none' : rail.shown}>
        {session !== null && <Pages toggle={rail.toggle} />}
        <Header signedIn={session !== null} />
        <main id="page" tabIndex={-1}>
          {isOpen ? <Outlet /> : <Belonging />}
        </main>
        {session !== null && <Dialogs />}
      </div>
    </>
  );
}

const Palette = lazy(async () => ({ default: (await import('../find/palette.tsx')).Palette }));
const KeyHelp = lazy(async () => ({ default: (await import('../find/palette.tsx')).KeyHelp }));

/** The palette and the list of keys, which load when somebody opens them. */
function Dialogs() {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const close = () => setOpen(null);
  useGoKeys();
  useCommandKey('k', () => setOpen('palette'));
  useShortcut('?', () => setOpen('keys'));
  return (
    <Suspense>
      {open === 'palette' && <Palette close={close} showKeys={() => setOpen('keys')} />}
      {open === 'keys' && <KeyHelp close={close} />}
    </Suspense>
  );
}

/** Names the page, and what it is about, in the title of the window. */
function useTitle(pathname: string) {
  const { relation = '' } = useSearch({ strict: false }) as Record<string, string>;
  const own = pageGroups
    .flatMap(({ pages }) => pages)
    .find(({ to }) => (to === '/' ? pathname === to : pathname.startsWith(to)));
  const about = pathname === '/lineage' ? relation : '';
  useEffect(() => {
    document.title = [about, own?.name, texts.product].filter(Boolean).join(' · ');
  }, [about, own]);
}

/** Pages whose picture needs the room. */
const wide: readonly string[] = ['/lineage', '/changes'];

/** Whether the rail shows names; `[` or its button switches, until a page of the other kind opens. */
function useRail(pathname: string) {
  const isWide = wide.includes(pathname);
  const [chosen, choose] = useState<{ readonly isWide: boolean; readonly isSlim: boolean } | null>(null);
  const isSlim = chosen?.isWide === isWide ? chosen.isSlim : isWide;
  const toggle = () => choose({ isWide, isSlim: !isSlim });
  useShortcut('[', toggle);
  return { shown: isSlim ? 'slim' : 'wide', toggle };
}

/** A page, once it is known which workspaces there are. */
function Belonging() {
  const { data, error, isPending } = useQuery(worldQuery);
  if (isPending) return <p role="status">{texts.loading}</p>;
  if (error) return <Failure error={error} />;
  if (data.length === 0) return <p className="empty">{texts.errors.noWorkspace}</p>;
  return <Outlet />;
}

function Header({ signedIn }: { readonly signedIn: boolean }) {
  const isPhone = usePhone();
  return (
    <header className="top">
      <div className="crumbs">{signedIn ? <Crumbs /> : <Brand />}</div>
      {signedIn ? <SearchBox /> : <span />}
      {!(signedIn && isPhone) && <Tools />}
    </header>
  );
}

/** The theme, and the way out. */
function Tools() {
  const session = useSession();
  const person = session?.person;
  return (
    <div className="tools">
      {session !== null && <CopyLink />}
      <ThemeChoice />
      {session !== null && (
        <button type="button" className="quiet" onClick={leave} title={person ? texts.signIn.as(person) : undefined}>
          {texts.signIn.out}
        </button>
      )}
    </div>
  );
}

/** Signs out; if what tells the issuer does not load, the session ends on this computer. */
const leave = (): Promise<void> =>
  import('../sign-in/sign-in.ts').then(({ signOut }) => signOut()).catch(() => endSession(true));

/** Copies the address, which holds all that the page shows. */
const CopyLink = () => {
  const { href } = useLocation();
  const label = (
    <>
      <Link2 size={15} aria-hidden="true" /> {texts.link}
    </>
  );
  return <CopyButton key={href} isQuiet title={texts.copyLink} label={label} text={async () => sharedAddress()} />;
};

const Brand = () => (
  <Link to="/" className="brand">
    <Mark />
    <span>{texts.product}</span>
  </Link>
);

/** The workspace, and the connector that the address names. */
function Crumbs() {
  const { connector: chosen } = useSearch({ strict: false }) as Record<string, string>;
  const workspace = useWorkspace();
  const connector = workspace?.connectors.find(({ id }) => id === chosen);
  // The next page shows the same workspace, though its address may not name it.
  useEffect(() => {
    if (workspace) keepWorkspace(workspace.id);
  }, [workspace]);
  return (
    <>
      <WorkspaceChoice />
      {connector && <span className="dim">/ {connector.name}</span>}
    </>
  );
}

function WorkspaceChoice() {
  const { data = [] } = useQuery(worldQuery);
  const workspace = useWorkspace();
  const { history } = useRouter();
  if (data.length < 2) return workspace && <span className="workspace">{workspace.name}</span>;
  return (
    <Select
      aria-label={texts.workspace}
      value={workspace?.id}
      options={Object.fromEntries(data.map(({ id, name }) => [id, name]))}
      // Not the page that is shown: its address may name a connector of the other workspace.
      choose={(id) => history.push(`/?workspace=${id}`)}
    />
  );
}

const ThemeChoice = () => (
  <Select aria-label={texts.theme} value={useTheme()} options={texts.themes} choose={chooseTheme} />
);

function Pages({ toggle }: { readonly toggle: () => void }) {
  const isAdmin = may(useWorkspace(), 'admin');
  const pages = pagesFor(isAdmin);
  if (usePhone()) {
    const isFirst = ({ to }: PageEntry) => firstOnPhones.includes(to);
    return (
      <nav className="pages" aria-label={texts.nav.label}>
        <PageLinks pages={pages.filter(isFirst)} />
        <More pages={pages.filter((page) => !isFirst(page))} />
      </nav>
    );
  }
  return (
    <nav className="pages" aria-label={texts.nav.label}>
      <Brand />
      {pageGroups.map(({ title, pages: own }) => (
        <div key={title}>
          <span className="pages-title">{title}</span>
          <PageLinks pages={own.filter((page) => pages.includes(page))} />
        </div>
      ))}
      <button
        type="button"
        className="quiet rail-toggle"
        aria-label={texts.nav.rail}
        title={`${texts.nav.rail} [`}
        onClick={toggle}
      >
        <PanelLeft size={17} aria-hidden="true" />
      </button>
    </nav>
  );
}

const firstOnPhones: readonly string[] = ['/', '/lineage', '/changes', '/gaps'];

function PageLinks({ pages }: { readonly pages: readonly PageEntry[] }) {
  const workspace = useWorkspace();
  return (
    <ul className="plain">
      {pages.map(({ to, name, icon: Icon }) => (
        <li key={to}>
          <Link to={to} title={name} activeOptions={{ exact: to === '/', includeSearch: false }}>
            <Icon size={17} strokeWidth={1.9} aria-hidden="true" />
            <span>{name}</span>
            {to === '/gaps' && workspace && <OpenGaps workspaceId={workspace.id} />}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The number of open gaps, once those of all providers are loaded. */
function OpenGaps({ workspaceId }: { readonly workspaceId: string }) {
  const { gaps, isKnown } = useOpenGaps(workspaceId);
  return isKnown && gaps.length > 0 && <b className="nav-count">{gaps.length.toLocaleString()}</b>;
}

/** The other pages and the settings of a phone, which close when a page opens. */
function More({ pages }: { readonly pages: readonly PageEntry[] }) {
  const { pathname } = useLocation();
  return (
    <details className="more-pages" key={pathname}>
      <summary>
        <Ellipsis size={17} aria-hidden="true" />
        <span>{texts.nav.more}</span>
      </summary>
      <div>
        <PageLinks pages={pages} />
        <Tools />
      </div>
    </details>
  );
}

/** The product's mark: streams that become one. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <rect width="32" height="32" rx="8" className="mark-ground" />
    <path d="M6 9c8 0 8 7 20 7M6 23c8 0 8-7 20-7M6 16h20" className="mark-streams" />
  </svg>
);
