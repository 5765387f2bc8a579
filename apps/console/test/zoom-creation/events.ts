/** Events for the tests of Zoom Creation. */
import { type ZoomEvent, zoomEvent } from '@lms-admin/contract/zoom';

export function eventOf(id: number, more: Partial<ZoomEvent> = {}): ZoomEvent {
  return zoomEvent.parse({
    id,
    title: `Session ${id}`,
    start_at: '2026-11-24T09:00:00Z',
    end_at: '2026-11-24T10:30:00Z',
    context_code: 'course_7',
    created_at: '2026-09-01T08:00:00Z',
    ...more,
  });
}

export const ALMA = 'alma.reyes@northbridge.example';
export const HUGO = 'hugo.tan@northbridge.example';
export const STANDARD = 'lms.admin@northbridge.example';
