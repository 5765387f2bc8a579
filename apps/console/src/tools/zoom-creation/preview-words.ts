/** What a change would do, in words (OP-102, OP-103, OP-104). Pure. */
import type { ZoomPreview } from '@lms-admin/contract/zoom';
import { titleOf } from './event-rows.ts';
import { texts } from './texts.ts';

const words = texts.will;

export interface Said {
  /** `say`: what will happen; `look`: what deserves a second look; `stop`: what cannot be done. */
  tone: 'say' | 'look' | 'stop';
  text: string;
  /** The events that it is about. */
  items: readonly string[];
}

export interface Sayers {
  /** What a host is called. */
  host: (email: string) => string;
  /** When an event is. */
  times: (of: { start_at: string | null }) => string;
  /** A moment, such as when a host's day begins anew. */
  moment: (iso: string | null) => string;
}

/** What will happen, what to look at twice, and what cannot be done, in the order in which it matters. */
export function previewWords(preview: ZoomPreview, { host, times, moment }: Sayers): Said[] {
  const event = (one: { title: string; start_at: string | null }) => {
    const when = times(one);
    return when === '' ? titleOf(one.title) : `${titleOf(one.title)} (${when})`;
  };
  const say = (text: string): Said => ({ tone: 'say', text, items: [] });
  const { make, update, unchanged, appear, disappear, links, shared, hosts, problems } = preview;
  const someone = (email: string | null) => (email === null ? words.nobody : host(email));
  const does = doesAnything(preview);
  return [
    ...(problems.length > 0
      ? [
          {
            tone: 'stop' as const,
            text: words.problems(problems.length),
            items: problems.map((one) => `${event(one)}: ${one.message}`),
          },
        ]
      : []),
    ...(make > 0 ? [say(words.make(make))] : []),
    ...(update > 0 ? [say(words.update(update))] : []),
    ...(does || problems.length > 0 ? [] : [say(words.nothing)]),
    ...(does && unchanged > 0 ? [say(words.unchanged(unchanged))] : []),
    ...(appear > 0 ? [say(words.appear(appear))] : []),
    ...(disappear > 0 ? [say(words.disappear(disappear))] : []),
    ...(does && isSameForStudents(preview) ? [say(words.sameForStudents)] : []),
    ...(links.length > 0
      ? [
          {
            tone: 'look' as const,
            text: words.links(links.length),
            items: links.map((one) => {
              return `${event(one)}: ${whyOf(one, someone)}${one.published ? ` ${words.published}` : ''}`;
            }),
          },
        ]
      : []),
    ...(links.some(({ why, from }) => why === 'host' && from !== null) ? [say(words.replaced)] : []),
    ...(shared.length > 0
      ? [
          {
            tone: 'look' as const,
            text: words.shared(shared.length),
            items: shared.map((one) => `${event(one)} ${words.sharedWith(titleOf(one.with))}`),
          },
        ]
      : []),
    ...hosts
      .filter(({ needed }) => needed > 0)
      .map(
        ({ name, needed, left, wait, until }): Said =>
          wait > 0
            ? { tone: 'look', text: words.wait(name, needed, left, wait, moment(until)), items: [] }
            : say(words.host(name, needed, left)),
      ),
  ];
}

/** Whether there are reasons against all of it: nothing is done by saving, and nothing is well as it is. */
export function isHopeless(preview: ZoomPreview): boolean {
  return preview.problems.length > 0 && !doesAnything(preview) && preview.unchanged === 0;
}

function doesAnything({ make, update, appear, disappear, links }: ZoomPreview): boolean {
  return make + update + appear + disappear + links.length > 0;
}

/** A published link that becomes another one is not the same for them. */
function isSameForStudents({ appear, disappear, links }: ZoomPreview): boolean {
  return appear + disappear === 0 && links.every(({ published }) => !published);
}

function whyOf(
  { why, from, to }: ZoomPreview['links'][number],
  someone: (email: string | null) => string,
): string {
  // A link that somebody wrote into the event has no host that we know of.
  if (why === 'host') return from === null ? words.why.foreign : words.why.host(someone(from), someone(to));
  return why === 'unmerge' && to === null ? words.why.without : words.why[why];
}
