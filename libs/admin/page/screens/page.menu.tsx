import { Box, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Menu, useSidebarState } from 'react-admin';
import { useScreens } from './screens.context.js';

/** A mark with the first letter of a name: nothing of the service says how its records would be drawn. */
export function LetterMark({
  name,
  isBrand = false,
}: {
  readonly name: string;
  readonly isBrand?: boolean;
}): ReactNode {
  const size = isBrand ? 30 : 24;
  return (
    <Box
      component="span"
      aria-hidden
      sx={{
        ...{ width: size, height: size, borderRadius: 1, flexShrink: 0, fontWeight: 700, lineHeight: 1 },
        ...{ display: 'inline-flex', alignItems: 'center', justifyContent: 'center' },
        ...(isBrand
          ? { bgcolor: 'primary.main', color: '#fff', fontSize: 16 }
          : { bgcolor: '#e3e7f3', color: '#47526b', fontSize: 12 }),
      }}
    >
      {String.fromCodePoint(name.codePointAt(0) ?? 32).toUpperCase()}
    </Box>
  );
}

/** The name of the page, and the records that it shows. */
export function PageMenu({ title }: { readonly title: string }): ReactNode {
  const { screens } = useScreens();
  const [isOpen] = useSidebarState();
  return (
    <Menu>
      <Box component="li" sx={{ display: 'flex', alignItems: 'center', gap: 1.5, px: 1.5, pt: 1, pb: 2 }}>
        <LetterMark name={title} isBrand />
        {isOpen ? (
          <Typography sx={{ fontWeight: 700, minWidth: 0, overflowWrap: 'anywhere' }}>{title}</Typography>
        ) : null}
      </Box>
      {[...screens.keys()].map((name) => (
        <Menu.ResourceItem key={name} name={name} />
      ))}
    </Menu>
  );
}
