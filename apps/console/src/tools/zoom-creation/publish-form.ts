/** The entries in 'Publish Zoom Links': initial values, effects of its switches, missing entries. Pure. */

import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { emailKey } from '@lms-admin/domain/emails';
import { z } from 'zod';
import { chipsState, NO_CHIPS, settled } from '../../components/ChipsInput/chips-state.ts';
import type { EventRow } from './event-rows.ts';

const words = zoomCreationMessages.publish;

export const publishForm = z.object({
  /** Whether the host is a person, not the placeholder account. */
  own: z.boolean(),
  visible: z.boolean(),
  /** Email; null if the field was cleared. */
  owner: z.string().nullable(),
  coHosts: chipsState,
  /** The alternative hosts that all selected events share; null if they differ: the entries then apply to all. */
  coHostsThere: z.array(z.string()).nullable().default(null),
});
export type PublishForm = z.infer<typeof publishForm>;

const same = (one: string, other: string) => emailKey(one) === emailKey(other);

/** Tells whether a host is the placeholder: compares the email only, not the name (OP-70). */
export function isDefault(owner: string | null, standard: string): boolean {
  return owner !== null && same(owner, standard);
}

/** Finds the values that the selected events share; null if they differ (OP-70). */
function shared(chosen: readonly EventRow[], standard: string): Omit<PublishForm, 'own'> | null {
  const of = (row: EventRow) => ({
    owner: row.host ?? standard,
    chips: [...row.coHosts],
    visible: row.event.zoom_visibility === 1,
  });
  const [first, ...others] = chosen.map(of);
  if (first === undefined) return null;
  const comparable = (one: ReturnType<typeof of>) =>
    [emailKey(one.owner), String(one.visible), ...one.chips.map(emailKey).sort()].join(' ');
  if (others.some((one) => comparable(one) !== comparable(first))) return null;
  const { owner, visible, chips } = first;
  return { owner, visible, coHosts: { chips, text: '' }, coHostsThere: chips };
}

/** Tells whether events differ in the form's values, so that it starts from the default. */
export function differ(chosen: readonly EventRow[], standard: string): boolean {
  return chosen.length > 1 && shared(chosen, standard) === null;
}

/** Returns the initial form: from the selected events, or from the default if they differ (OP-70). */
export function startOf(chosen: readonly EventRow[], standard: string): PublishForm {
  const from = shared(chosen, standard) ?? {
    owner: standard,
    visible: false,
    coHosts: NO_CHIPS,
    coHostsThere: null,
  };
  const own = !isDefault(from.owner, standard);
  // A placeholder's link is never visible: records that say otherwise are older than this rule.
  return { ...from, own, visible: from.visible && own };
}

/** Sets the switch 'Owner'; off means the default account, hidden (ZC-28). */
export function withOwner(form: PublishForm, own: boolean, standard: string): PublishForm {
  return own ? { ...form, own } : { ...form, own, owner: standard, visible: false };
}

/** Explains why the link cannot be made visible now; null otherwise (ZC-27). */
export function whyNotVisible({ owner }: PublishForm, standard: string): string | null {
  return isDefault(owner, standard) ? words.ownerFirst : null;
}

/** Finds the missing entry before saving, by its field; null if none is missing (ZC-25, ZC-26, ZC-29). */
export function missingOf(
  form: PublishForm,
  events: number,
  standard: string,
): { text: string; field: 'owner' | 'events' } | null {
  if (events === 0) return { text: words.needEvents, field: 'events' };
  if (form.owner === null) return { text: words.needOwner, field: 'owner' };
  if (form.visible && isDefault(form.owner, standard)) return { text: words.changeOwner, field: 'owner' };
  return null;
}

/** Builds the change to request; null while an entry is missing. */
export function publishChange(
  course: number,
  events: readonly number[],
  form: PublishForm,
  standard: string,
): Extract<ZoomChange, { change: 'publish' }> | null {
  if (form.owner === null || missingOf(form, events.length, standard) !== null) return null;
  return {
    change: 'publish',
    course,
    events: [...events],
    owner: form.owner,
    co_hosts: coHostsOf(form),
    visible: form.visible,
  };
}

/**
 * Returns the entered hosts; null if they were not edited: each meeting then keeps its alternative hosts in Zoom, where
 * its host may have changed them.
 */
function coHostsOf({ coHosts, coHostsThere }: PublishForm): string[] | null {
  const { chips } = settled('email', coHosts);
  const comparable = (emails: readonly string[]) => emails.map(emailKey).sort().join(' ');
  return coHostsThere !== null && comparable(chips) === comparable(coHostsThere) ? null : [...chips];
}

/**
 * Restores the form of a requested change, for repeating the failed part.
 * @param chosen the events that are still selected
 */
export function formOf(
  { owner, co_hosts, visible }: Extract<ZoomChange, { change: 'publish' }>,
  chosen: readonly EventRow[],
  standard: string,
): PublishForm {
  const there = chosen[0]?.coHosts ?? [];
  const chips = [...(co_hosts ?? there)];
  const own = !isDefault(owner, standard);
  return {
    own,
    owner,
    visible,
    coHosts: { chips, text: '' },
    coHostsThere: co_hosts === null ? chips : null,
  };
}
