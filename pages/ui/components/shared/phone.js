// Which windows are a phone's, for scripts; the styles write (--phone) (pages/ui/server/stylesheets.py).

export const PHONE = "((max-width: 800px) or ((max-width: 960px) and (max-height: 499px)))";
