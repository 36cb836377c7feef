import { useEffect, useRef } from 'react';
import { useNotify, useRedirect } from 'react-admin';
import { useLocation } from 'react-router-dom';

/** What a form knows after it was sent. */
export interface Sent {
  /** True while the form is still the one that is open. */
  readonly isOpen: () => boolean;
  /** Says that it was saved, and shows the list: not to those who have gone elsewhere meanwhile, who may type there. */
  readonly onSuccess: () => void;
}

/** What becomes of a form that was sent. */
export function useSent(resource: string, message: 'created' | 'updated'): Sent {
  const notify = useNotify();
  const redirect = useRedirect();
  const { pathname } = useLocation();
  const open = useRef<string>();
  useEffect(() => {
    open.current = pathname;
    return () => {
      open.current = undefined;
    };
  }, [pathname]);
  const isOpen = (): boolean => open.current === pathname;
  const onSuccess = (): void => {
    notify(`ra.notification.${message}`, { type: 'info', messageArgs: { smart_count: 1 } });
    if (isOpen()) redirect('list', resource);
  };
  return { isOpen, onSuccess };
}
