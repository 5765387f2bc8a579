/**
 * The page at the `html_url` of a calendar event: what a signed-in person can see of it, as a student would.
 * It shows a single event in Canvas's calendar, without month view or editing.
 */

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html, page } from '../http/html.ts';
import { type Params, text } from '../http/params.ts';
import { mayReadCalendar, seesSection } from './api/event-places.ts';
import { childrenOf, eventJson, parseContextCode } from './api/json/events.ts';
import { browserCaller, type Caller } from './http/auth.ts';
import { htmlPage } from './http/html-page.ts';
import { viewOf } from './http/view.ts';
import { type Sessions, signInPath } from './oauth/sessions.ts';
import type { CalendarEvent } from './store/model.ts';
import type { World } from './store/world.ts';

export function calendarPage({ world, sessions }: { world: World; sessions: Sessions }): FastifyPluginAsync {
  return async (app) => {
    app.get('/calendar', (request, reply) => {
      const userId = sessions.userOf(request);
      const caller = userId === null ? null : browserCaller(world, userId);
      if (!caller) return reply.redirect(signInPath(request), 302);
      // An event is rendered for a caller, as in the API.
      request.caller = caller;
      const id = text(request.query as Params, 'event_id') ?? '';
      const event = /^\d{1,15}$/.test(id) ? world.calendarEvents.get(Number(id)) : undefined;
      if (!event)
        return send(
          request,
          reply,
          404,
          'Event not found',
          html`<p>This calendar does not have an event with this number.</p>`,
        );
      if (!mayReadCalendar(caller, event.context_code))
        return send(
          request,
          reply,
          403,
          'Not available',
          html`<p>You cannot see this event, because it is in a calendar that you do not have access to.</p>`,
        );
      if (event.workflow_state === 'deleted')
        return send(
          request,
          reply,
          404,
          'Event deleted',
          html`<p>“${event.title}” has been deleted from the calendar.</p>`,
        );
      const json = eventJson(viewOf(request, world.rootAccount), event);
      return send(request, reply, 200, String(json['title']), eventPart(caller, event, json));
    });
  };
}

function eventPart(caller: Caller, event: CalendarEvent, json: Record<string, unknown>): Html {
  const { world, user } = caller;
  const zone = user.time_zone ?? world.rootAccount.default_time_zone;
  const section = sectionOf(world, event);
  const parts = childrenOf(world, event).flatMap((child) => {
    const of = sectionOf(world, child);
    return of && seesSection(caller, of) ? [{ name: of.name, when: shownTimes(child, zone) }] : [];
  });
  const given = childrenOf(world, event).length > 0;
  return html`<p>${String(json['context_name'])}${section && ` · ${section.name}`}</p>
${
  given
    ? sectionTimes(parts, zone)
    : html`<p><strong>${shownTimes(event, zone)}</strong> <small>(${zone})</small></p>`
}
${fact('Location', event.location_name)}
${fact('Address', event.location_address)}
${typeof json['description'] === 'string' && { html: `<div>${json['description']}</div>` }}`;
}

function sectionTimes(parts: readonly { name: string; when: string }[], zone: string): Html {
  if (parts.length === 0)
    return html`<p>This event has separate times for each section, but none for yours.</p>`;
  return html`<div class="scroll" role="region" aria-label="Times by section" tabindex="0"><table>
<caption>Times by section (${zone})</caption>
<thead><tr><th scope="col">Section</th><th scope="col">When</th></tr></thead>
<tbody>${parts.map(({ name, when }) => html`<tr><td>${name}</td><td>${when}</td></tr>`)}</tbody></table></div>`;
}

function fact(name: string, value: string | null): Html | false {
  return value !== null && value !== '' && html`<p>${name}: ${value}</p>`;
}

/** Returns times such as `Mon, 5 October 2026, 10:00 – 11:30`. */
function shownTimes({ start_at, end_at, all_day }: CalendarEvent, zone: string): string {
  if (start_at === null || end_at === null) return 'No date';
  const day = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    ...(all_day ? {} : { hour: '2-digit', minute: '2-digit' }),
  });
  const [start, end] = [Date.parse(start_at), Date.parse(end_at)];
  if (all_day) return `${day.format(start)}, all day`;
  return start === end ? day.format(start) : day.formatRange(start, end);
}

function sectionOf(world: World, event: CalendarEvent) {
  const place = parseContextCode(event.context_code);
  return place?.kind === 'course_section' ? world.sections.get(place.id) : undefined;
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  title: string,
  part: Html,
): FastifyReply {
  const body = html`<div class="card"><h1>${title}</h1>${part}</div>
<p>You are viewing this page as ${request.caller?.user.name}. <a href="${signInPath(request)}">View it as someone else</a></p>`;
  return htmlPage(reply.code(status), page(title, body), true);
}
