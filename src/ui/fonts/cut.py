"""Cuts the reading face from the files of @fontsource-variable/gelasio, which lie beside it."""
from io import BytesIO

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

shown = 'U+20-7E,U+A0-FF,U+152-153,U+2013-2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+2039-203A,U+20AC,U+2122,U+2212'
for style, weight, name in (('normal', (400, 700), 'roman'), ('italic', 400, 'italic')):
    font = instantiateVariableFont(TTFont(f'gelasio-latin-wght-{style}.woff2'), {'wght': weight})
    lookups = font['GSUB'].table
    lining = next(r.Feature for r in lookups.FeatureList.FeatureRecord if r.FeatureTag == 'lnum')
    digits = lookups.LookupList.Lookup[lining.LookupListIndex[0]].SubTable[0].mapping
    for table in font['cmap'].tables:
        table.cmap.update({code: digits[glyph] for code, glyph in table.cmap.items() if glyph in digits})
    options = subset.Options(flavor='woff2', hinting=False, name_IDs=[0, 1, 2, 13, 14],
                             layout_features=['kern', 'liga', 'mark', 'mkmk', 'ccmp', 'locl'])
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=subset.parse_unicodes(shown.replace('U+', '')))
    whole = BytesIO()
    font.save(whole)  # cutting wants it as it lies in a file
    font = TTFont(whole)
    cutter.subset(font)
    subset.save_font(font, f'gelasio-{name}.woff2', options)
