/** Texts about what a change will do (OP-102, OP-103, OP-104). Pure. */
import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
import { titleOf } from './event-rows.ts';
import { listed, texts } from './texts.ts';

const words = texts.will;

export interface PreviewSentence {
  /** `say`: effects; `look`: things to check; `stop`: reasons why saving is not possible. */
  tone: 'say' | 'look' | 'stop';
  text: string;
  /** The events that the sentence is about. */
  items: readonly string[];
}

export interface Sayers {
  /** Name of a host. */
  host: (email: string) => string;
  /** Formats the time of an event. */
  times: (of: { start_at: string | null }) => string;
  /** Formats a moment, such as when a host's day starts again. */
  moment: (iso: string | null) => string;
}

/** Describes effects, things to check, and things that are not possible, in order of importance. */
export function previewWords(preview: ZoomPreview, sayers: Sayers): PreviewSentence[] {
  const named = { ...sayers, event: eventOf(sayers) };
  return [
    ...problemWords(preview, named),
    ...waitingWords(preview, named),
    ...changeWords(preview, named),
    ...linkWords(preview, named),
    ...overWords(preview, named),
    ...coHostWords(preview.co_hosts, named.event, named.host),
    ...look(
      preview.running,
      words.running(preview.running.length),
      (one) => `${named.event(one)}: ${runningOf(one)}`,
    ),
    ...basicWords(preview),
    ...bookingWords(preview, named),
    ...look(
      preview.shared,
      words.shared(preview.shared.length),
      (one) => `${named.event(one)} ${words.sharedWith(titleOf(one.with))}`,
    ),
    ...hostWords(preview, named),
  ];
}

type EventOf = (one: { title: string; start_at: string | null }) => string;
type Named = Sayers & { event: EventOf };

function eventOf({ times }: Sayers): EventOf {
  return (one) => {
    const when = times(one);
    return when === '' ? titleOf(one.title) : `${titleOf(one.title)} (${when})`;
  };
}

const say = (text: string): PreviewSentence => ({ tone: 'say', text, items: [] });

/** Creates one sentence above the events that it is about; nothing if none. */
function look<T>(about: readonly T[], text: string, item: (one: T) => string): PreviewSentence[] {
  return about.length === 0 ? [] : [{ tone: 'look', text, items: about.map(item) }];
}

const eventsIn = (all: readonly { event: number }[]): number => new Set(all.map((one) => one.event)).size;

function problemWords({ problems }: ZoomPreview, { event }: Named): PreviewSentence[] {
  return [false, true].flatMap((part): PreviewSentence[] => {
    const some = problems.filter((one) => one.part === part);
    const items = some.map((one) => `${event(one)}: ${one.message}`);
    const text = part ? words.parts(some.length) : words.problems(some.length);
    return some.length === 0 ? [] : [{ tone: 'stop', text, items }];
  });
}

/**
 * Describes earlier changes that are waiting: those that this one replaces, and that of a main event, which is kept.
 */
function waitingWords({ waiting }: ZoomPreview, { event, moment }: Named): PreviewSentence[] {
  const one = (of: ZoomPreview['waiting'][number]) =>
    words.waitingOne(event(of), of.by, of.until && moment(of.until));
  const stay = waiting.filter(({ main }) => main);
  const replaced = waiting.filter(({ main }) => !main);
  return [
    ...look(replaced, words.waiting(eventsIn(replaced), replaced.length), one),
    ...look(stay, words.waitingMain, one),
  ];
}

/** Describes meetings and events that change, and what students will see. */
function changeWords(preview: ZoomPreview, { event }: Named): PreviewSentence[] {
  const { make, update, unchanged, appear, disappear, problems } = preview;
  const does = doesAnything(preview);
  // Students see the link of these events in a text that someone wrote by hand.
  const left = new Set(preview.left.map((one) => one.event));
  return [
    ...(make > 0 ? [say(words.make(make))] : []),
    ...(update > 0 ? [say(words.update(update))] : []),
    ...(does || problems.length > 0 ? [] : [say(left.size > 0 ? words.nothingOfOurs : words.nothing)]),
    ...(does && unchanged > 0 ? [say(words.unchanged(unchanged))] : []),
    ...(appear > 0 ? [say(words.appear(appear, preview.appear_events ?? appear))] : []),
    ...(disappear > 0 ? [say(words.disappear(disappear, preview.disappear_events ?? disappear))] : []),
    ...(['missing', 'edited', 'outdated'] as const).flatMap((how) => {
      const found = preview.texts.filter((one) => one.how === how);
      return look(found, words.texts[how](found.length), event);
    }),
    ...(['published', 'unknown', 'hidden', 'left'] as const).flatMap((how) => {
      const some = preview.set.filter((one) => how === setAs(one, left));
      return look(some, words.set[how](some.length), event);
    }),
    ...(does && isSameForStudents(preview) ? [say(words.sameForStudents)] : []),
  ];
}

function setAs({ visible, known, event }: ZoomPreview['set'][number], left: ReadonlySet<number>) {
  // The list shows an event with an unknown link as published: the link is in the LMS.
  if (visible) return known ? 'published' : 'unknown';
  return left.has(event) ? 'left' : 'hidden';
}

/** Describes sections that have ended: those that keep their meeting, and those without a meeting. */
function overWords({ over }: ZoomPreview, { event }: Named): PreviewSentence[] {
  const kept = over.filter(({ meeting }) => meeting);
  const without = over.filter(({ meeting }) => !meeting);
  return [
    ...look(kept, words.over(kept.length), event),
    ...look(without, words.overWithout(without.length), event),
  ];
}

/** Describes join links that change, and what happens to the existing ones. */
function linkWords({ links, removed, former, left }: ZoomPreview, { event, host }: Named): PreviewSentence[] {
  const someone = (email: string | null) => (email === null ? words.noOne : host(email));
  const own = links.filter(({ why, from }) => isMerge(why) && from !== null).length;
  const some = (which: ZoomPreview['links'], text: (count: number) => string) =>
    look(
      which,
      text(eventsIn(which)),
      (one) => `${event(one)}: ${whyOf(one, someone)}${one.published ? ` ${words.published}` : ''}`,
    );
  const none = links.filter(isEnd);
  const first = links.filter((one) => isFirst(one) && !isEnd(one));
  const same = links.filter(isKept);
  return [
    ...some(
      links.filter((one) => !isFirst(one) && !isEnd(one) && !isKept(one)),
      words.links,
    ),
    ...some(first, words.firstLinks),
    ...some(same, words.sameLinks),
    ...some(none, words.noLinks),
    ...(removed > 0 && links.some(({ why }) => why === 'host') ? [say(words.removed(removed))] : []),
    ...look(left, words.left(left.length), event),
    ...look(
      former,
      words.former(eventsIn(former)),
      (one) => `${event(one)}: ${words.formerOf(titleOf(one.of))}`,
    ),
    ...(own > 0 ? [say(words.ownMeetings(own))] : []),
  ];
}

type Link = ZoomPreview['links'][number];

/** Tells whether the event had no link that could be replaced. An event without a meeting may have a copied link. */
const isFirst = ({ why, from, published }: Link) =>
  from === null && ((why === 'merge' && !published) || why === 'written');

/** Tells whether the event gets the link that had already been copied into it. */
const isKept = ({ why }: Link) => why === 'merge-same';

const isMerge = (why: Link['why']) => why === 'merge' || why === 'merge-hidden';

/** Tells whether the event has no link afterwards. */
const isEnd = ({ why, to }: Link) =>
  why === 'unmerge-none' || why === 'merge-hidden' || (why === 'unmerge' && to === null);

function basicWords({ basic }: ZoomPreview): PreviewSentence[] {
  if (basic === null) return [];
  return [{ tone: 'look', text: words.basic(basic.name, basic.events, basic.long), items: words.basicMeans }];
}

/** Describes other bookings of the hosts at these times. */
function bookingWords(
  { clashes, elsewhere, unchecked }: ZoomPreview,
  { event, host, times }: Named,
): PreviewSentence[] {
  return [
    ...look(
      clashes,
      words.clashes(eventsIn(clashes)),
      (one) => `${event(one)}: ${clashOf(one, host, times)}`,
    ),
    ...look(
      elsewhere,
      words.elsewhere(eventsIn(elsewhere)),
      (one) => `${event(one)}: ${elsewhereOf(one, host)}`,
    ),
    ...(unchecked ? [say(words.unchecked)] : []),
  ];
}

/**
 * Describes the part of each host's daily limit that the change uses, and the changes that have to wait until the next
 * day.
 */
function hostWords({ hosts }: ZoomPreview, { moment }: Named): PreviewSentence[] {
  return hosts
    .filter(({ needed }) => needed > 0)
    .map(({ name, needed, left, wait, until }) =>
      wait > 0
        ? { tone: 'look', text: words.wait(name, needed, left, wait, moment(until)), items: [] }
        : say(words.host(name, needed, left)),
    );
}

/** Marks sentences that are new since the last attempt to save. @param before null if they are unknown */
export function marked(
  sentences: readonly PreviewSentence[],
  before: readonly PreviewSentence[] | null,
): readonly PreviewSentence[] {
  if (before === null) return sentences;
  return sentences.map((one) => {
    const known = before.find(({ text }) => text === one.text);
    if (!known) return { ...one, text: words.isNew(one.text) };
    const items = one.items.map((item) => (known.items.includes(item) ? item : words.isNew(item)));
    return { ...one, items };
  });
}

export function hasNews(sentences: readonly PreviewSentence[], before: readonly PreviewSentence[]): boolean {
  return JSON.stringify(marked(sentences, before)) !== JSON.stringify(sentences);
}

/**
 * Tells whether saving would do nothing because of problems: nothing can change, and nothing is already as requested.
 */
export function nothingPossible(preview: ZoomPreview): boolean {
  return preview.problems.length > 0 && !doesAnything(preview) && preview.unchanged === 0;
}

function doesAnything({ make, update, appear, disappear, links, texts: put, set }: ZoomPreview): boolean {
  return make + update + appear + disappear + links.length + put.length + set.length > 0;
}

/** Tells whether students still see the same links, so no published link changes. */
function isSameForStudents({ appear, disappear, links }: ZoomPreview): boolean {
  return appear + disappear === 0 && links.every(({ published }) => !published);
}

/**
 * Describes the people who gain or lose the ability to start meetings, and the alternative hosts in Zoom if they differ
 * from the form.
 */
function coHostWords(
  all: ZoomPreview['co_hosts'],
  event: (one: { title: string; start_at: string | null }) => string,
  host: Sayers['host'],
): PreviewSentence[] {
  const isChanged = ({ from, to }: ZoomPreview['co_hosts'][number]) => from.join() !== to.join();
  const namesOf = (emails: readonly string[]) => listed(emails.map(host));
  const changed = all.filter(isChanged).map((one) => {
    const all = one.from.filter((email) => !one.to.includes(email));
    const unable = all.filter((email) => one.unlicensed.includes(email));
    const gone = all.filter((email) => !one.unlicensed.includes(email));
    const come = one.to.filter((email) => !one.from.includes(email));
    const parts = [
      ...(gone.length > 0 ? [words.coHosts.gone(namesOf(gone))] : []),
      ...(unable.length > 0 ? [words.coHosts.unlicensed(namesOf(unable))] : []),
      ...(come.length > 0 ? [words.coHosts.come(namesOf(come))] : []),
    ];
    return `${event(one)}: ${parts.join(' ')}`;
  });
  const stay = all
    .filter((one) => !isChanged(one))
    .map((one) => `${event(one)}: ${one.to.length > 0 ? namesOf(one.to) : words.noOne}.`);
  return [
    ...(changed.length > 0
      ? [{ tone: 'look' as const, text: words.coHosts.change(changed.length), items: changed }]
      : []),
    ...(stay.length > 0
      ? [{ tone: 'look' as const, text: words.coHosts.stay(stay.length), items: stay }]
      : []),
  ];
}

function runningOf({ link, stays }: ZoomPreview['running'][number]): string {
  if (!link) return words.runningHost;
  return stays ? `${words.runningLink} ${words.runningStays}` : words.runningLink;
}

/** Describes a host's other booking at the time of an event. */
function clashOf(
  { host: email, with: other }: ZoomPreview['clashes'][number],
  host: Sayers['host'],
  times: Sayers['times'],
): string {
  const name = host(email);
  const when = times(other);
  if (other.kind === 'zoom') return words.clash.zoom(name, when);
  if (other.title === null || (other.course === null && other.kind !== 'event'))
    return words.clash.unnamed(name, when);
  const title = titleOf(other.title);
  if (other.course === null) return words.clash.event(name, title, when);
  return words.clash[other.kind === 'reservation' ? 'reservation' : 'course'](
    name,
    title,
    other.course,
    when,
  );
}

function elsewhereOf({ with: other }: ZoomPreview['elsewhere'][number], host: Sayers['host']): string {
  if (other.title === null || other.course === null || other.host === null) return words.elsewhereUnnamed;
  return words.elsewhereOne(host(other.host), titleOf(other.title), other.course);
}

function whyOf(
  { why, from, to }: ZoomPreview['links'][number],
  someone: (email: string | null) => string,
): string {
  if (why === 'host') return words.why.host(someone(from), someone(to));
  return why === 'unmerge' && to === null ? words.why.without : words.why[why];
}
