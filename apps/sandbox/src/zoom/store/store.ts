/** Everything that Zoom stores about the school. */

import { type Kept, KeptMap } from '../../memory/kept.ts';
import { meetingNumber } from './ids.ts';
import type { Mail, Meeting, Member, ZoomUser } from './model.ts';

/** An access token, as Zoom stores it. */
export type ZoomToken = { client: string; scopes: string[]; expiresAt: number; revoked: boolean };

/** A host's usage on a UTC day. */
export type HostDay = { day: string; used: number };

const MOST_MAILS = 20_000;

export class ZoomStore {
  /** By email, in lower case. */
  readonly #users = new KeptMap<ZoomUser>();
  readonly #meetings = new KeptMap<Meeting>();
  readonly #counters = new KeptMap<number>();
  readonly tokens = new KeptMap<ZoomToken>();
  /** By host ID. */
  readonly hostDays = new KeptMap<HostDay>();
  /** Emails since the last start. Only tests need them, so they are not saved. */
  mails: Mail[] = [];

  /** Returns the state to save. */
  kept(): Record<string, Kept> {
    return {
      zoomUsers: this.#users,
      zoomMeetings: this.#meetings,
      zoomCounters: this.#counters,
      zoomTokens: this.tokens,
      zoomHostDays: this.hostDays,
    };
  }

  clear(): void {
    for (const map of [this.#users, this.#meetings, this.#counters, this.tokens, this.hostDays]) map.clear();
    this.mails = [];
  }

  /** Returns all users of the account, by email. */
  users(): ZoomUser[] {
    return [...this.#users.values()]
      .filter(({ removed }) => !removed)
      .sort((a, b) => (a.email < b.email ? -1 : 1));
  }

  /** Finds a user by ID, or by email in any case. */
  user(who: string): ZoomUser | undefined {
    const found = this.#users.get(who.toLowerCase()) ?? this.users().find(({ id }) => id === who);
    return found?.removed ? undefined : found;
  }

  /** Finds a person by ID, including people who have left, because their past meetings remain. */
  member(id: string): Member | undefined {
    return [...this.#users.values()].find((user): user is Member => user.id === id);
  }

  putUser(user: ZoomUser): void {
    this.#users.set(user.email.toLowerCase(), user);
  }

  /** Returns the people for whom a user can schedule. */
  schedulersOf(id: string): Member[] {
    return this.users().filter((user): user is Member => user.id !== null && user.assistants.includes(id));
  }

  meeting(number: number): Meeting | undefined {
    return this.#meetings.get(String(number));
  }

  meetings(): IterableIterator<Meeting> {
    return this.#meetings.values();
  }

  putMeeting(meeting: Meeting): void {
    this.#meetings.set(String(meeting.number), meeting);
  }

  /** Returns a number that no meeting has ever had. */
  newNumber(): number {
    const nth = (this.#counters.get('meetings') ?? 0) + 1;
    this.#counters.set('meetings', nth);
    return meetingNumber(nth);
  }

  send(mail: Mail): void {
    this.mails.push(mail);
    if (this.mails.length > MOST_MAILS) this.mails.shift();
  }
}
